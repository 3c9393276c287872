// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0

/** The figures of the last five minutes. uPlot draws them. */

import { $, count, el, group, put, time } from './words.js';

const css = (v) => getComputedStyle(document.documentElement).getPropertyValue(v).trim();
const { uPlot } = globalThis;
const data = Array.from({ length: 12 }, () => []); // t done super run block idle q50 q99 r50 r99 ready waiting
const SPAN = 300,
    MOST = 1200;
let charts = [];
const axisTime = (v) => time(v / 1000);
const specs = [
    {
        id: 'c-rate',
        rows: [
            ['done', 1, '--run', 'fill'],
            ['superseded', 2, '--dim', 'dash'],
        ],
        text: count,
    },
    {
        id: 'c-work',
        stack: true,
        rows: [
            ['idle', 5, '--idle', 'solid'],
            ['running', 3, '--run', 'solid'],
            ['blocked', 4, '--block', 'solid'],
        ],
        text: (v) => String(Math.round(v)),
    },
    {
        id: 'c-time',
        log: true,
        rows: [
            ['queueing', 6, '--ready', 'dash'],
            ['to', 7, '--ready'],
            ['run', 8, '--run', 'dash'],
            ['to', 9, '--run'],
        ],
        text: axisTime,
    },
    {
        id: 'c-wait',
        rows: [
            ['tasks in keys', 11, '--dim', 'fill'],
            ['ready for a worker', 10, '--ready', 'dash'],
        ],
        text: (v) => group(v),
    },
];
function series(spec) {
    const c = spec.rows.map((r) => data[r[1]]);
    if (spec.stack) {
        // idle over running over blocked
        const run = data[3].map((v, i) => (v == null ? null : v + data[4][i]));
        return [data[0], run.map((v, i) => (v == null ? null : v + data[5][i])), run, data[4]];
    }
    return [data[0], ...(spec.log ? c.map((a) => a.map((v) => (v > 0 ? v : null))) : c)];
}
export function makeCharts() {
    charts.forEach((c) => c.u.destroy());
    charts = specs.map((spec) => {
        const box = $(spec.id),
            plot = box.querySelector('.plot'),
            vals = box.querySelector('.vals');
        if (!vals.children.length)
            for (const r of spec.rows) {
                const s = el('span');
                const b = el('b');
                b.style.setProperty(
                    '--c',
                    'var(' + (r[2] === '--block' ? '--block-ink' : r[2] === '--idle' ? '--dim' : r[2]) + ')',
                );
                s.append(r[0] + ' ', b);
                vals.append(s);
            }
        const dim = css('--dim'),
            line = css('--line');
        const axis = {
            stroke: dim,
            grid: { stroke: line, width: 1 },
            ticks: { show: false },
            font: '11px system-ui, sans-serif',
        };
        const u = new uPlot(
            {
                width: plot.clientWidth,
                height: 124,
                padding: [6, 18, 0, 0],
                legend: { show: false },
                cursor: { sync: { key: 'all' }, drag: { x: false, y: false }, points: { size: 5 }, y: false },
                scales: {
                    x: { time: true, range: (_, a, b) => [(b ?? Date.now() / 1000) - SPAN, b ?? Date.now() / 1000] },
                    y: spec.log
                        ? {
                              distr: 3,
                              range: (_, a, b) => [
                                  Math.min(10 ** Math.floor(Math.log10(a || 1)), 1),
                                  Math.max(10 ** Math.ceil(Math.log10(b || 1000)), 1000),
                              ],
                          }
                        : { range: (_, a, b) => [0, nice(Math.max(4, b || 0))] },
                },
                axes: [
                    {
                        ...axis,
                        size: 20,
                        space: 90,
                        values: (_, ts) =>
                            ts.map((t) =>
                                new Date(t * 1000).toLocaleTimeString('en-GB', { hour: '2-digit', minute: '2-digit' }),
                            ),
                        incrs: [60, 120],
                    },
                    {
                        ...axis,
                        size: 58,
                        space: 28,
                        gap: 3,
                        ...(spec.log
                            ? {
                                  splits: (u, i, a, b) => {
                                      const l = [];
                                      for (
                                          let e = Math.round(Math.log10(a));
                                          e <= Math.round(Math.log10(b));
                                          e += Math.round(Math.log10(b / a)) > 4 ? 2 : 1
                                      )
                                          l.push(10 ** e);
                                      return l;
                                  },
                                  filter: (u, l) => l,
                              }
                            : {}),
                        values: (_, vs) =>
                            vs.map((v) =>
                                v == null
                                    ? ''
                                    : v === 0
                                      ? '0'
                                      : spec.log
                                        ? time(v / 1000).replace('.0 ', ' ')
                                        : spec.text(v),
                            ),
                    },
                ],
                series: [
                    {},
                    ...spec.rows.map((r) => ({
                        stroke: css(r[2]),
                        width: 1.5,
                        points: { show: false },
                        spanGaps: false,
                        dash: r[3] === 'dash' ? [4, 3] : undefined,
                        fill: r[3] === 'fill' ? css(r[2]) + '22' : r[3] === 'solid' ? css(r[2]) : undefined,
                    })),
                ],
                hooks: { setCursor: [() => labels()] },
            },
            series(spec),
            plot,
        );
        return { u, spec, vals };
    });
}
const nice = (v) => {
    if (v <= 4) return 4;
    const e = 10 ** Math.floor(Math.log10(v)),
        m = v / e;
    return (m <= 1 ? 1 : m <= 2 ? 2 : m <= 5 ? 5 : 10) * e;
};
function labels() {
    // the values under the pointer, or those of now
    for (const c of charts) {
        const i = c.u.cursor.idx ?? data[0].length - 1;
        c.spec.rows.forEach((r, n) => {
            const v = data[r[1]][i];
            put(c.vals.children[n].lastChild, v == null || v < 0 ? '–' : c.spec.text(v));
        });
    }
}
export function push(row) {
    const t = row[0],
        before = data[0][data[0].length - 1];
    if (before && t - before > 5) data.forEach((d, i) => d.push(i ? null : before + 1)); // a gap is shown as one
    data.forEach((d, i) => d.push(row[i]));
    while (data[0].length > MOST || data[0][0] < t - SPAN - 5) data.forEach((d) => d.shift());
}
/** Forgets the figures of an earlier process. */
export function forgetCharts() {
    data.forEach((d) => {
        d.length = 0;
    });
}
export const isEmpty = () => !data[0].length;
let drawn = 0;
export function showCharts(f) {
    const p = f.pool,
        q = f.time;
    push([
        f.t / 1000,
        f.rate.done < 0 ? null : f.rate.done,
        f.rate.done < 0 ? null : f.rate.super,
        p.run,
        p.block,
        p.idle,
        q[0],
        q[1],
        q[2],
        q[3],
        p.ready,
        f.keys?.waiting ?? 0,
    ]);
    if (f.t - drawn >= 900) {
        drawn = f.t;
        for (const c of charts) c.u.setData(series(c.spec));
    }
    labels();
}
