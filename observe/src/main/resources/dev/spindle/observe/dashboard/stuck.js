// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0

/** The first sentence, and what is stuck. */

import { limit, state } from './state.js';
import { $, attr, brief, count, el, group, many, named, put, short, time, where } from './words.js';

let gone = new Map();
let previous = new Map();
const open = new Set();
const stacks = new Map();

/** Forgets the rows of an earlier process. */
export function forgetStuck() {
    gone.clear();
    previous.clear();
}

function groups(stuck) {
    // causes, with those that wait for them
    const by = new Map(stuck.filter((s) => s.th).map((s) => [s.th, s]));
    for (const s of stuck) s.kids = [];
    for (const s of stuck) {
        s.up = s.byTh ? by.get(s.byTh) : undefined;
        if (s.up && !s.cyc) s.up.kids.push(s);
    }
    const roots = stuck.filter((s) => !s.up || s.cyc);
    const size = (s) => s.kids.reduce((n, k) => n + size(k), 1);
    for (const r of roots) r.size = size(r);
    return roots.sort((a, b) => b.cyc - a.cyc || b.size - a.size || b.ms - a.ms);
}
export const waitsFor = (s) =>
    (s.on === 'run' || s.on === 'sleep' || s.on === 'paused' ? s.what : s.on === 'park' ? 'waits' : 'waits ' + s.what) +
    (s.by ? ' ' : '');

function sentence(f) {
    const out = [];
    const t = (x) => out.push(x),
        k = (x) => out.push({ k: short(x, 28) }),
        e = (x) => out.push({ e: x });
    const pool = f.pool,
        stuck = f.stuck;
    const calm =
        (f.rate.done < 0 ? '' : count(f.rate.done) + (f.rate.done === 1 ? ' task' : ' tasks') + ' a second, ') +
        (pool.threads === 0
            ? 'no workers yet'
            : pool.block
              ? pool.block + ' of ' + many(pool.threads, 'worker') + ' blocked'
              : pool.run
                ? pool.run + ' of ' + many(pool.threads, 'worker') + ' running'
                : many(pool.threads, 'worker') + ' idle');
    const late = f.keys?.late ?? 0,
        worst = state.keys.old.filter((r) => !r[7]).sort((a, b) => b[4] - a[4])[0];
    if (!stuck.length) {
        t(calm + ', nothing stuck');
        if (late && worst) {
            t(', ');
            out.push({ l: many(late, 'key') + ' late' });
            t(': ');
            k(worst[1]);
            t(' has ' + many(worst[3], 'task') + ' waiting, the oldest for ' + time(worst[4], true));
        } else if (f.keys?.paused) t(', ' + many(f.keys.paused, 'key') + ' paused');
        t('.');
        return out;
    }
    const roots = groups(stuck),
        r = roots[0],
        keysOnly = stuck.every((s) => s.kind === 'key');
    e(many(f.stuckAll, keysOnly ? 'key' : 'task') + ' stuck');
    t(f.stuckAll > 1 ? ', the longest for ' : ' for ');
    t(time(Math.max(...stuck.map((s) => s.ms)), true) + ': ');
    if (r.cyc) {
        const ring = stuck.filter((s) => s.cyc);
        ring.slice(0, 3).forEach((s, i) => {
            if (i) t(i === Math.min(3, ring.length) - 1 ? ' and ' : ', ');
            k(s.k);
        });
        t(' wait for each other’s locks, in a cycle.');
    } else if (r.kids.length) {
        r.kids.slice(0, 2).forEach((s, i) => {
            if (i) t(r.kids.length === 2 ? ' and ' : ', ');
            k(s.k);
        });
        if (r.kids.length > 2) t(' and ' + (r.kids.length - 2) + ' more');
        const lock = r.kids.every((s) => s.on === 'lock');
        t((r.kids.length > 1 ? ' wait ' : ' waits ') + (lock ? 'for a lock held by ' : 'for '));
        k(r.k);
        t(', which ' + waitsFor(r));
        if (r.by) k(r.by);
        t('.');
    } else {
        k(r.k);
        t(' ' + waitsFor(r));
        if (r.by) k(r.by);
        t('.');
    }
    out.push({ d: calm[0].toUpperCase() + calm.slice(1) + '.' });
    return out;
}
export let lineText = '';
let lineAt = 0;
export function showLine(f) {
    const parts = sentence(f);
    const text = parts.map((p) => p.k ?? p.e ?? p.l ?? (p.d ? ' ' + p.d : p)).join('');
    if (text !== lineText && (f.t - lineAt > 950 || !lineAt)) {
        // once a second, to be read
        lineText = text;
        lineAt = f.t;
        $('line').replaceChildren(
            ...parts.map((p) =>
                p.k != null
                    ? (() => {
                          const b = el('b');
                          b.append(el('bdi', '', p.k));
                          return b;
                      })()
                    : p.e
                      ? el('em', '', p.e)
                      : p.l
                        ? el('span', 'late', p.l)
                        : p.d
                          ? el('span', 'rest', ' ' + p.d)
                          : p,
            ),
        );
    }
    const q = f.time;
    put(
        $('line2'),
        [
            many(f.keys?.live ?? 0, 'key') + ' known, ' + group(f.keys?.busy ?? 0) + ' busy',
            many(f.keys?.waiting ?? 0, 'task waits', 'tasks wait') + ' in keys',
            group(f.pool.ready) + ' ready for a worker',
            'queueing p99 ' + time(q[1] / 1000),
            'run p99 ' + time(q[3] / 1000),
            f.late > 1500 ? 'the process itself was late by ' + time(f.late) : null,
        ]
            .filter(Boolean)
            .join('  ·  '),
    );
    const now = f.stuck.length ? lineText : 'Nothing stuck';
    const set = f.stuck
        .map((s) => s.s + ' ' + s.k)
        .sort()
        .join();
    if (set !== showLine.set) {
        showLine.set = set;
        put($('live'), now);
    }
    document.title = (f.stuck.length ? '(' + f.stuckAll + ' stuck) ' : '') + (state.hello.name || 'Spindle');
    const colour = state.link !== 'on' ? '888' : f.stuck.length ? 'b1063f' : '0b7a70';
    attr(
        $('icon'),
        'href',
        'data:image/svg+xml,%3Csvg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8"%3E' +
            '%3Ccircle cx="4" cy="4" r="3.4" fill="%23' +
            colour +
            '"/%3E%3C/svg%3E',
    );
}

const rowOf = new Map();
export function showStuck(f) {
    const now = f.t,
        ids = new Set(f.stuck.map((s) => s.kind + ' ' + s.s + ' ' + s.k));
    for (const [id, s] of previous) if (!ids.has(id)) gone.set(id, { ...s, end: now, kids: [], up: null });
    for (const [id, s] of gone) if (ids.has(id) || now - s.end > 60000) gone.delete(id);
    previous = new Map(f.stuck.map((s) => [s.kind + ' ' + s.s + ' ' + s.k, s]));
    const flat = [];
    const walk = (s, depth) => {
        if (flat.length < 24 && !flat.some((x) => x.s === s)) {
            flat.push({ s, depth });
            s.kids.forEach((k) => walk(k, depth + 1));
        }
    };
    groups(f.stuck).forEach((r) => walk(r, 0));
    for (const s of gone.values()) if (flat.length < 24) flat.push({ s, depth: 0 });
    const box = $('stuck-rows'),
        want = [];
    for (const { s, depth } of flat) {
        const id = s.kind + ' ' + s.s + ' ' + s.k;
        let row = rowOf.get(id);
        if (!row) {
            row = el('button', 's');
            row.type = 'button';
            for (const c of ['for', 'key', 'what', 'at', 'num']) row.append(el('span', c));
            row.addEventListener('click', () => toggle(id, row));
            attr(row, 'aria-expanded', 'false');
            rowOf.set(id, row);
        }
        row.dataset.th = s.th || '';
        row.className = 's' + (depth ? ' in' : '') + (s.end ? ' gone' : '');
        const [dur, key, what, at, num] = row.children;
        put(dur, s.end ? 'ended' : brief(s.ms));
        dur.title = s.end ? '' : time(s.ms);
        named(key, s.kind === 'key' ? s.s : s.kind, s.k, 20);
        const tells = s.end ? time(now - s.end) + ' ago, after ' + time(s.ms) : waitsFor(s);
        if (what.dataset.t !== tells + s.by) {
            what.dataset.t = tells + s.by;
            what.replaceChildren(tells, ...(s.by && !s.end ? [el('bdi', 'other', short(s.by, 26))] : []));
        }
        what.title = s.kind === 'key' && s.th ? 'thread ' + s.th : '';
        put(at, s.at ? where(s.at) : s.th ? '' : 'holds no worker');
        at.title = s.at;
        const behind = [s.size > 1 && !s.cyc ? many(s.size - 1, 'key') : '', s.deep ? many(s.deep, 'task') : ''];
        put(num, s.end ? '' : (behind.filter(Boolean).join(', ') || 'nothing') + ' behind');
        want.push(row);
        if (open.has(id)) {
            let pre = stacks.get(id);
            if (!pre) {
                pre = el(
                    'pre',
                    '',
                    s.th
                        ? 'reading the stack'
                        : s.on === 'worker'
                          ? 'No thread is held: it waits until a worker is free.'
                          : s.on === 'turn' || s.on === 'paused'
                            ? 'No thread is held: it waits until its limit has room.'
                          : 'No thread is held: the key goes on when the stage that its task returned completes.',
                );
                stacks.set(id, pre);
                if (s.th) stack(s.th, pre);
            }
            want.push(pre);
        }
    }
    place(box, want);
    for (const id of rowOf.keys())
        if (!flat.some((x) => x.s.kind + ' ' + x.s.s + ' ' + x.s.k === id)) {
            rowOf.delete(id);
            open.delete(id);
            stacks.delete(id);
        }
    put(
        $('n-stuck'),
        f.stuck.length
            ? 'longer than ' +
                  limit() +
                  ', causes first' +
                  (f.stuckAll > 24 ? '; 24 of ' + group(f.stuckAll) : '') +
                  ' · a row opens its stack'
            : '',
    );
    put($('no-stuck'), flat.length ? '' : 'Nothing has run, been open or waited longer than ' + limit() + '.');
    $('no-stuck').hidden = flat.length > 0;
    document.body.classList.toggle('calm', !flat.length);
}
function toggle(id, row) {
    const on = !open.has(id);
    on ? open.add(id) : (open.delete(id), stacks.delete(id));
    attr(row, 'aria-expanded', String(on));
    if (state.last) showStuck(state.last);
}
async function stack(thread, pre) {
    try {
        pre.textContent = await (await fetch('stack?id=' + thread)).text();
    } catch {
        pre.textContent = 'The stack could not be read.';
    }
}
function place(box, want) {
    // moves only what has to move
    want.forEach((e, i) => {
        if (box.children[i] !== e) box.insertBefore(e, box.children[i] || null);
    });
    while (box.children.length > want.length) box.lastChild.remove();
}
