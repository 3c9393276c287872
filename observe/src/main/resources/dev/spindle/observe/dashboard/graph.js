// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0

/** What waits for what, drawn as a graph. */

import { state } from './state.js';
import { $, many, name, put, short } from './words.js';

const nouns = {
    socket: 'a socket',
    future: 'a future',
    stage: 'its async stage',
    queue: 'a queue',
    worker: 'a worker',
    room: 'room',
    file: 'a file',
    process: 'a process',
    thread: 'a thread',
    lock: 'a lock',
};
const label = (id) => id.split('\t')[0].split('\u0001').pop();
let graphText = '';

/** Makes the next frame draw the graph anew. */
export function forgetGraph() {
    graphText = '';
}
export function showGraph(f) {
    const edges = [];
    const seen = new Set();
    const id = (s) => (s.kind === 'key' && s.s != null ? s.s + '\u0001' : '') + s.k; // two spaces may have the same key
    const add = (from, to, label, ms, cyc, outside) => {
        const pair = from + '\t' + to;
        if (!seen.has(pair)) {
            seen.add(pair);
            edges.push({ from, to, label, ms, cyc, outside });
        }
    };
    for (const s of f.stuck) {
        if (s.by)
            add(
                id(s),
                s.up ? id(s.up) : s.by,
                s.on === 'lock' ? 'lock' : s.on === 'room' ? 'room' : s.on === 'queue' ? 'value' : 'result',
                s.ms,
                s.cyc,
            );
        else if (s.on === 'latch' || s.on === 'notify') add(id(s), s.what.replace(/^for /, ''), '', s.ms, 0, id(s));
        else if (nouns[s.on]) add(id(s), nouns[s.on], '', s.ms, 0, id(s));
    }
    const party = (space, key) => (space == null ? '' : space + '\u0001') + key;
    for (const [space, key, ofSpace, ofKey, kind, ms, cyc] of state.waits)
        if (kind !== 'stage' && ms > 1000) add(party(space, key), party(ofSpace, ofKey), kind, ms, cyc);
    put($('n-graph'), edges.length ? many(edges.length, 'wait') : '');
    $('no-graph').hidden = edges.length > 0;
    put($('no-graph'), edges.length ? '' : 'Nothing waits longer than 1 s.');
    // keys that wait alone for the same thing share a box
    const targets = new Set(edges.map((e) => e.to));
    const share = new Map();
    for (const e of edges) {
        const alone = !targets.has(e.from) && !e.cyc;
        const like = (alone ? '' : e.from) + '\t' + e.to + '\t' + e.label;
        (share.get(like) || share.set(like, []).get(like)).push(e);
    }
    const list = [];
    for (const es of share.values()) {
        if (es.length > 3)
            list.push({
                ...es[0],
                from: es.length + ' keys: ' + short(label(es[0].from), 14) + ', …',
                ms: Math.max(...es.map((e) => e.ms)),
            });
        else list.push(...es);
    }
    const top = list.sort((a, b) => b.cyc - a.cyc || b.ms - a.ms).slice(0, 14);
    const text = top.map((e) => e.from + e.to + e.label + e.cyc).join('\n') + $('graph-box').clientWidth;
    if (text === graphText) return;
    graphText = text;
    draw(top);
}
const pen = document.createElement('canvas').getContext('2d');
function widthOf(text) {
    pen.font = '12px ' + getComputedStyle(document.body).fontFamily;
    return Math.ceil(pen.measureText(text).width);
}
function shortened(text, width) {
    let most = [...name(text)].length;
    while (most > 3 && widthOf(short(text, most)) > width) most--;
    return short(text, most);
}

/** Makes the widest columns narrower until all have room. */
function fitted(cols, room) {
    let least = 0;
    let most = Math.max(...cols);
    const total = (limit) => cols.reduce((a, c) => a + Math.min(c, limit), 0);
    if (total(most) <= room) return cols;
    for (let i = 0; i < 20; i++) {
        const middle = (least + most) / 2;
        if (total(middle) <= room) least = middle;
        else most = middle;
    }
    return cols.map((c) => Math.min(c, least));
}
function draw(edges) {
    const box = $('graph-box');
    box.replaceChildren();
    if (!edges.length) return;
    const nodes = new Map();
    const node = (id, outside) => nodes.get(id) || nodes.set(id, { id, out: [], into: 0, outside, level: 0 }).get(id);
    for (const e of edges) {
        e.a = node(e.from);
        e.b = node(e.outside ? e.to + '\t' + e.outside : e.to, e.outside);
        e.a.out.push(e.b);
        e.b.into++;
    }
    const level = (n, path) => {
        // how far from what ends the wait
        if (n.done) return n.level;
        if (path.has(n)) return 0;
        path.add(n);
        n.level = n.out.length ? 1 + Math.max(...n.out.map((o) => level(o, path))) : 0;
        path.delete(n);
        n.done = true;
        return n.level;
    };
    for (const n of nodes.values()) level(n, new Set());
    const most = Math.max(...[...nodes.values()].map((n) => n.level));
    const width = Math.max(260, box.clientWidth),
        gap = 32,
        arrow = width < 390 ? 38 : 56;
    const cols = Array.from({ length: most + 1 }, () => 0); // as wide as their texts, and less where that is too much
    for (const n of nodes.values())
        cols[most - n.level] = Math.max(cols[most - n.level], Math.min(260, widthOf(name(label(n.id))) + 18));
    const wide = fitted(cols, width - most * arrow - 2),
        left = wide.map((_, i) => 1 + wide.slice(0, i).reduce((a, b) => a + b + arrow, 0));
    const rows = [];
    const put1 = (n, y) => {
        // what waits stands left of what it waits for
        if (n.y != null) return;
        const x = most - n.level;
        n.y = Math.max(y, rows[x] ?? 0);
        rows[x] = n.y + (edges.some((e) => e.cyc && (e.a === n || e.b === n)) ? 2 : 1);
        edges.filter((e) => e.b === n).forEach((e, i) => put1(e.a, n.y + i));
    };
    const order = [...nodes.values()];
    const reach = (n) =>
        (n.reach ??= ((n.reach = 1), 1 + edges.filter((e) => e.b === n).reduce((s, e) => s + reach(e.a), 0)));
    order.sort((a, b) => a.level - b.level || reach(b) - reach(a));
    for (const n of order) if (n.level === 0 || n.y == null) put1(n, 0);
    const height = Math.max(...[...nodes.values()].map((n) => n.y)) * gap + (edges.some((e) => e.cyc) ? 44 : 28);
    const ns = 'http://www.w3.org/2000/svg';
    const make = (tag, a, parent, text) => {
        const e = document.createElementNS(ns, tag);
        for (const k in a) e.setAttribute(k, a[k]);
        if (text != null) e.textContent = text;
        parent.append(e);
        return e;
    };
    const svg = make(
        'svg',
        {
            viewBox: '0 0 ' + width + ' ' + height,
            height,
            role: 'img',
            'aria-label': edges.map((e) => name(label(e.from)) + ' waits for ' + name(label(e.to))).join('; '),
        },
        box,
    );
    const marker = make(
        'marker',
        { id: 'tip', viewBox: '0 0 8 8', refX: 7, refY: 4, markerWidth: 7, markerHeight: 7, orient: 'auto' },
        make('defs', {}, svg),
    );
    make('path', { d: 'M0 0L8 4L0 8z' }, marker);
    const x = (n) => left[most - n.level],
        w = (n) => wide[most - n.level],
        y = (n) => n.y * gap + 2;
    const told = new Set();
    for (const e of edges) {
        const x1 = x(e.a) + w(e.a),
            y1 = y(e.a) + 12,
            x2 = x(e.b),
            y2 = y(e.b) + 12;
        const back = x2 <= x1;
        const c1 = x(e.a) + w(e.a) / 2,
            c2 = x(e.b) + w(e.b) / 2,
            low = Math.max(y1, y2) + 34;
        const d = back
            ? `M${c1} ${y1 + 12}C${c1} ${low} ${c2} ${low} ${c2} ${y2 + 13}`
            : `M${x1} ${y1}C${(x1 + x2) / 2} ${y1} ${(x1 + x2) / 2} ${y2} ${x2 - 1} ${y2}`;
        make('path', { d, 'marker-end': 'url(#tip)', class: e.cyc ? 'cyc' : '' }, svg);
        if (e.label && !back && !told.has(e.b.id + e.label)) {
            told.add(e.b.id + e.label);
            make(
                'text',
                { x: (x1 + x2) / 2, y: y1 === y2 ? y1 - 4 : (y1 + y2) / 2 - 5, class: 'lab', 'text-anchor': 'middle' },
                svg,
                e.label,
            );
        }
    }
    for (const n of nodes.values()) {
        const root = !n.outside && n.into > 0 && n.out.every((o) => o.outside);
        const g = make('g', {}, svg);
        make('title', {}, g, name(n.id.split('\t')[0].replace('\u0001', '/')));
        make(
            'rect',
            {
                x: x(n),
                y: y(n),
                width: w(n),
                height: 24,
                rx: 5,
                class: 'box' + (n.outside || (!n.out.length && !n.into) ? ' out' : root ? ' root' : ''),
            },
            g,
        );
        make('text', { x: x(n) + 8, y: y(n) + 16 }, g, shortened(label(n.id), w(n) - 16));
    }
}
