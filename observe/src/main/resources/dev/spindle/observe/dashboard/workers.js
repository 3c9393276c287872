// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0

/** The workers: a cell for each, and a list. */

import { stuckMillis } from './state.js';
import { rows } from './tables.js';
import { $, attr, el, group, name, named, put, time, where } from './words.js';

export function showWorkers(f) {
    const ws = f.workers,
        box = $('cells'),
        most = stuckMillis();
    while (box.children.length < Math.min(256, ws.length)) box.append(el('i'));
    while (box.children.length > ws.length) box.lastChild.remove();
    box.style.setProperty('--cell', ws.length > 128 ? '11px' : ws.length > 64 ? '15px' : '20px');
    let stuck = 0;
    ws.slice(0, 256).forEach((w, i) => {
        const x = w[2] >= most,
            c = x ? 'x' : w[1],
            e = box.children[i];
        if (x) stuck++;
        if (e.className !== c) {
            e.className = c;
            e.textContent = x ? '!' : '';
        }
        const tip =
            'worker ' +
            w[0] +
            ': ' +
            (w[2]
                ? (w[1] === 'b' ? 'blocked in ' : 'runs ') +
                  (w[4] == null ? 'a plain task' : w[5] + ' ' + name(w[4])) +
                  ' for ' +
                  time(w[2])
                : { i: 'idle', r: 'runs short tasks', b: 'blocked for a moment' }[w[1]]);
        if (e.title !== tip) e.title = tip;
    });
    const p = f.pool;
    const atMost = group(p.max);
    put($('n-workers'), p.threads + ' of at most ' + atMost + ', core ' + p.core + ', peak ' + p.peak);
    attr(
        box,
        'aria-label',
        p.run + ' running, ' + p.block + ' blocked, ' + p.idle + ' idle, ' + stuck + ' of them stuck',
    );
    const legend = [
        ['r', 'running', p.run],
        ['b', 'blocked', p.block - stuck],
        ['x', 'stuck', stuck],
        ['i', 'idle', p.idle],
    ];
    if (!$('legend').children.length)
        for (const l of legend) {
            const s = el('span');
            s.append(el('i', 'sw ' + l[0]), l[1] + ' ', el('b'));
            $('legend').append(s);
        }
    legend.forEach((l, i) => put($('legend').children[i].lastChild, String(Math.max(0, l[2]))));
    if ($('list').open) {
        const table = $('t-workers');
        if (table.tBodies.length && table.tBodies[0].rows.length !== ws.length) table.replaceChildren();
        rows(table, ['worker', 'state', 'runs', 'for', 'where'], ['4.5em', '5em', '', '7em', '40%'], ws.length).forEach(
            (tr, i) => {
                const w = ws[i],
                    c = tr.cells;
                put(c[0], String(w[0]));
                put(c[1], w[2] >= most ? 'stuck' : { i: 'idle', r: 'running', b: 'blocked' }[w[1]]);
                if (w[2]) {
                    named(c[2], w[5] === 'key' ? w[3] : w[5], w[4] ?? '', 40);
                    put(c[3], time(w[2]));
                    put(c[4], where(w[7]));
                } else {
                    delete c[2].dataset.k;
                    put(c[2], w[1] === 'i' ? '' : 'short tasks');
                    put(c[3], '');
                    put(c[4], '');
                }
                tr.className = w[2] >= most ? 'x' : '';
            },
        );
    }
}
