// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0

/** Keys by age and by depth, the parts of a spindle, and the line at the foot. */

import { state, stuckMillis } from './state.js';
import { $, brief, count, el, group, many, named, put, time } from './words.js';

export function rows(table, heads, widths, most) {
    if (table.tBodies.length) return [...table.tBodies[0].rows];
    const cg = el('colgroup');
    widths.forEach((w) => {
        const c = el('col');
        if (w) c.style.width = w;
        cg.append(c);
    });
    const tr = el('tr');
    heads.forEach((h) => {
        const th = el('th', '', h);
        th.scope = 'col';
        tr.append(th);
    });
    const head = el('thead');
    head.append(tr);
    const body = el('tbody');
    for (let i = 0; i < most; i++) {
        const r = el('tr');
        heads.forEach(() => r.append(el('td')));
        body.append(r);
    }
    table.append(cg, head, body);
    return [...body.rows];
}
/** What a row of a key says of its state: space key kind depth age run open paused thread. */
export function stateOf(r, ago) {
    if (r[7]) return 'paused';
    if (r[6]) return 'open ' + time(r[6] + ago);
    if (r[8] && (r[5] >= r[4] || r[5] > 1000))
        return 'runs ' + (r[5] < 250 ? '' : time(r[5] + (r[5] > 1000 ? ago : 0)));
    return 'waits ' + (r[4] ? time(r[4] + (r[4] > 1000 ? ago : 0)) : '');
}
export const longest = (r) => Math.max(r[4], r[5], r[6]);
let ordered = 0;

/** Takes new rows. Values change at once, places every 2 s at most and never under the pointer. */
export function takeKeys(t, lists) {
    const resort = t - ordered > 2000 && !$('t-old').matches(':hover') && !$('t-deep').matches(':hover');
    state.keys.old = stable(state.keys.old, lists.old, resort);
    state.keys.deep = stable(state.keys.deep, lists.deep, resort);
    if (resort) ordered = t;
}
export function showKeys(f) {
    const k = f.keys;
    if (!k) return;
    const stale = k.ago > 1000 ? ', read ' + time(k.ago) + ' ago' : '';
    put($('n-old'), group(k.busy) + ' busy of ' + group(k.live) + stale);
    put($('n-deep'), many(k.waiting, 'task waits', 'tasks wait') + stale);
    const most = stuckMillis();
    const fill = (table, list, by) => {
        const rs = rows(
            table,
            by === 'old' ? ['key', 'longest', 'waiting'] : ['key', 'waiting', 'oldest'],
            by === 'old' ? ['', '9.6em', '4.6em'] : ['', '6em', '6em'],
            8,
        );
        const top = Math.max(1, ...list.map((r) => r[3]));
        const letters = room(rs);
        rs.forEach((tr, i) => {
            const r = list[i],
                td = tr.cells;
            if (!r) {
                if (tr.dataset.on) {
                    for (const c of td) {
                        c.textContent = '';
                        c.style.removeProperty('--w');
                    }
                    delete tr.dataset.on;
                    delete td[0].dataset.k;
                    td[0].title = '';
                    tr.className = '';
                }
                return;
            }
            tr.dataset.on = 1;
            tr.className = r[7] || longest(r) < most ? '' : r[5] >= most || r[6] >= most ? 'x' : 'l';
            named(td[0], r[0], r[1], letters);
            const deep = by === 'old' ? td[2] : td[1];
            put(deep, group(r[3]));
            if (by === 'old') put(td[1], stateOf(r, k.ago));
            else {
                put(td[2], r[7] ? 'paused' : r[4] ? time(r[4] + (r[4] > 1000 ? k.ago : 0)) : '–');
                deep.className = 'bar';
                deep.style.setProperty('--w', Math.round((100 * r[3]) / top) + '%');
            }
        });
    };
    $('t-old').hidden = !state.keys.old.length;
    $('t-deep').hidden = !state.keys.deep.length;
    put($('no-old'), state.keys.old.length ? '' : k.live ? 'No key is busy.' : 'No key has come yet.');
    put($('no-deep'), state.keys.deep.length ? '' : 'No task waits in a key.');
    fill($('t-old'), state.keys.old.slice(0, 8), 'old');
    fill($('t-deep'), state.keys.deep.slice(0, 8), 'deep');
}
function stable(before, now, resort) {
    // values move at once, rows only now and then
    if (resort) return now;
    const at = new Map(now.map((r) => [r[0] + '\u0001' + r[1], r]));
    const kept = before
        .map((r) => {
            const n = at.get(r[0] + '\u0001' + r[1]);
            at.delete(r[0] + '\u0001' + r[1]);
            return n;
        })
        .filter(Boolean);
    return [...kept, ...at.values()];
}

const memory = new Map(); // of rates of what is only counted

/** Forgets the figures of an earlier process. */
export function forgetTables() {
    memory.clear();
    state.keys = { old: [], deep: [] };
    state.parts = [];
    state.waits = [];
}
function slope(id, v, t) {
    // per second, over some seconds
    const m = memory.get(id) || memory.set(id, []).get(id);
    m.push([t, v]);
    while (m.length > 2 && t - m[0][0] > 8000) m.shift();
    return m.length > 1 && t > m[0][0] ? (1000 * (v - m[0][1])) / (t - m[0][0]) : 0;
}
/** Shows a text over a bar. */
function meter(td, text, share, title) {
    put(td, text);
    td.style.setProperty('--w', Math.min(100, Math.round(100 * share)) + '%');
    td.className = 'bar share' + (share >= 0.999 ? ' full' : '');
    td.title = title;
}
function plain(td, text, cls) {
    put(td, text);
    td.style.removeProperty('--w');
    td.className = cls;
    td.title = '';
}
/** The number of letters that have room in the first column of a table. */
const room = (rs) => Math.max(8, Math.floor((rs[0]?.cells[0].clientWidth || 130) / 7.8));
function part(id, title, heads, widths, list, fill) {
    let box = $('p-' + id);
    if (!list || !list.length) {
        if (box) box.remove();
        return 0;
    }
    if (!box || box.rowsMade !== list.length) {
        if (box) box.remove();
        box = el('div');
        box.id = 'p-' + id;
        box.rowsMade = list.length;
        box.append(el('h3', '', title), el('table'));
        const orderOf = kinds.map((k) => k[0]);
        const next = [...$('parts').children].find((c) => c.id && orderOf.indexOf(c.id.slice(2)) > orderOf.indexOf(id));
        $('parts').insertBefore(box, next || null);
    }
    const rs = rows(box.lastChild, heads, widths, list.length);
    const most = room(rs);
    list.forEach((r, i) => fill(rs[i].cells, r, most));
    return list.length;
}
const kinds = [
    ['execs', 'Executors', ['executor'], 'name'],
    ['boxes', 'Messages', ['actors', 'channel'], 'of'],
    ['pipes', 'Pipelines', ['pipeline', 'stage'], 'pipeline or stage'],
    ['logs', 'Records of a log', ['consumer', 'partition'], 'of'],
    ['calls', 'Calls', ['endpoint', 'bulkhead', 'breaker', 'gateway'], 'of'],
    ['routes', 'Routes', ['route'], 'route'],
];
const change = (d) => (Math.abs(d) < 0.5 ? 'steady' : (d > 0 ? '+' : '') + group(d) + ' /s');

// Of a row: kind owner name running max waiting capacity done failed rejected dropped; of a route also p50 p99.
// A max or capacity of -1 is no bound. A max of 0 is an executor that is paused, or a breaker that is open.
function fillQueue(c, [kind, owner, own, , , waiting, capacity], id, t, most) {
    named(c[0], kind === 'stage' ? owner : kind === 'pipeline' ? null : kind, own, most);
    const d = slope('w' + id, waiting, t);
    if (capacity > 0) meter(c[1], group(waiting), waiting / capacity, 'of ' + group(capacity));
    else plain(c[1], group(waiting), '');
    put(c[2], change(d));
    put(c[3], capacity > 0 && d > 0.5 ? brief((1000 * (capacity - waiting)) / d) : '–');
    c[3].className = capacity > 0 && d > 0.5 && (capacity - waiting) / d < 600 ? 'hot' : '';
}
function fillCalls(c, [kind, , own, running, max, waiting, capacity, done, failed, rejected, dropped], id, t, most) {
    named(c[0], kind === 'executor' ? null : kind, own, most);
    const off = max === 0 ? (kind === 'breaker' ? 'open' : 'paused') : '';
    const limit = max < 10000 ? String(max) : Math.round(max / 1000) + ' k';
    if (max > 0) meter(c[1], running + ' of ' + limit, running / max, running >= max ? 'at its limit' : '');
    else plain(c[1], off ? (running ? off + ', ' + running : off) : String(running), off ? 'hot' : '');
    put(c[2], group(waiting));
    c[2].title = capacity < 0 ? 'without a bound' : 'of ' + group(capacity);
    c[2].className = capacity > 0 && waiting >= capacity * 0.95 ? 'hot' : '';
    put(c[3], count(slope('d' + id, done, t)));
    c[3].title = group(failed) + ' failed';
    put(c[4], group(rejected + dropped));
    c[4].className = slope('r' + id, rejected + dropped, t) > 0 ? 'hot' : '';
}
function fillRoute(c, [, , own, , , , , done, failed, , , median, tail], id, t, most) {
    named(c[0], null, own, most);
    const rate = slope('d' + id, done, t);
    const bad = rate > 0 ? Math.min(1, slope('f' + id, failed, t) / rate) : 0;
    put(c[1], count(rate));
    put(c[2], time(median));
    put(c[3], time(tail));
    put(c[4], bad > 0 && bad < 0.01 ? '< 1 %' : Math.round(100 * bad) + ' %');
    c[4].title = group(failed) + ' of ' + group(done) + ' since the start';
    c[4].className = bad > 0 ? 'hot' : '';
}

/** Shows the parts. */
export function showParts(t) {
    let n = 0;
    for (const [id, title, of, head] of kinds) {
        const list = state.parts.filter((p) => of.includes(p[0])).slice(0, 12);
        const [heads, widths, fill] =
            id === 'boxes' || id === 'pipes' || id === 'logs'
                ? [['waiting', 'change', 'full in'], ['5.4em', '5em', '4.2em'], fillQueue]
                : id === 'routes'
                  ? [['per s', 'p50', 'p99', 'failed'], ['4em', '4.6em', '4.6em', '4em'], fillRoute]
                  : [['running', 'waiting', 'per s', 'refused'], ['5.4em', '4.4em', '3.8em', '4.4em'], fillCalls];
        n += part(id, title, [head, ...heads], ['', ...widths], list, (c, r, most) =>
            fill(c, r, r.slice(0, 3).join('\u0001'), t, most),
        );
    }
    $('no-parts').hidden = n > 0;
}
export function showFoot(f) {
    const s = f.sum;
    const parts = [
        'since start: ' +
            group(s.done) +
            ' done, ' +
            group(s.failed) +
            ' failed, ' +
            group(s.super) +
            ' superseded, ' +
            group(s.wake) +
            ' wake-ups, ' +
            'grown ' +
            many(s.growth, 'time'),
        'superseded to run ' +
            (f.rate.done + f.rate.super > 0
                ? Math.round((100 * f.rate.super) / (f.rate.done + f.rate.super)) +
                  ' : ' +
                  (100 - Math.round((100 * f.rate.super) / (f.rate.done + f.rate.super)))
                : '–'),
        'wake-ups ' + (f.rate.wake < 0 ? '–' : count(f.rate.wake)) + ' a second',
        'process: ' +
            (f.jvm.cpu < 0 ? '–' : Math.round(f.jvm.cpu * 100)) +
            ' % of one processor of ' +
            state.hello.cpus +
            ', heap ' +
            f.jvm.heap +
            ' of ' +
            f.jvm.most +
            ' MB',
        'this page: ' +
            (f.self.cpu < 0 ? '–' : f.self.cpu.toFixed(1)) +
            ' % of one processor, ' +
            (f.self.bytes / 1000).toFixed(1) +
            ' kB an update',
        'keys: / find, space hold, c copy',
    ];
    const box = $('foot');
    while (box.children.length < parts.length) box.append(el('span'));
    parts.forEach((p, i) => put(box.children[i], p));
}
