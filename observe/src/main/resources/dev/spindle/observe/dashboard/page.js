// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0

/** The connection, and what a person does. */

import { forgetCharts, isEmpty, makeCharts, push, showCharts } from './charts.js';
import { forgetGraph, showGraph } from './graph.js';
import { state, stuckMillis } from './state.js';
import { forgetStuck, lineText, showLine, showStuck, waitsFor } from './stuck.js';
import { forgetTables, longest, rows, showFoot, showKeys, showParts, stateOf, takeKeys } from './tables.js';
import { $, attr, clock, el, group, many, name, named, put, time } from './words.js';
import { showWorkers } from './workers.js';

let lastAt = 0;
let lostAt = 0;
let instance = '';
let source = null;
const snapshot = location.search.includes('snapshot');

function greet(h) {
    const own = h.born + ' ' + h.number;
    if (instance && instance !== own) {
        // another process, or the page of another spindle, answers now
        forgetCharts();
        forgetStuck();
        forgetTables();
    }
    const fresh = instance !== own;
    instance = own;
    state.hello = h;
    put($('name'), h.name);
    if (fresh && isEmpty()) for (const r of h.history || []) push(r.map((v) => (v < 0 ? null : v)));
    put(
        $('facts'),
        'process ' +
            h.pid +
            ', Java ' +
            h.java.split('+')[0] +
            ', since ' +
            new Date(h.born).toLocaleString('en-GB', {
                day: 'numeric',
                month: 'short',
                hour: '2-digit',
                minute: '2-digit',
            }) +
            (h.hidden ? ', key names hidden' : ''),
    );
}

/** Takes the lists that are read less often than frames are made. */
function take(lists) {
    state.waits = lists.waits;
    state.parts = lists.parts;
    takeKeys(lists.t, lists);
    if (!document.hidden && !state.held) showParts(lists.t);
}
function show(f) {
    state.last = f;
    document.body.classList.remove('wait');
    showLine(f);
    showStuck(f);
    showGraph(f);
    showWorkers(f);
    showKeys(f);
    showCharts(f);
    showFoot(f);
}
let sleeping = 0;
document.addEventListener('visibilitychange', () => {
    // a page that is not seen costs nothing
    clearTimeout(sleeping);
    if (document.hidden)
        sleeping = setTimeout(() => {
            source?.close();
            state.link = 'asleep';
        }, 60000);
    else if (state.link === 'asleep') {
        state.link = 'connecting';
        connect();
    } else if (state.last && !state.held) show(state.last);
});
function connect() {
    source = new EventSource('live');
    source.addEventListener('hello', (e) => {
        state.link = 'on';
        lostAt = 0;
        greet(JSON.parse(e.data));
    });
    source.addEventListener('keys', (e) => {
        if (!state.held) take(JSON.parse(e.data));
    });
    source.onmessage = (e) => {
        lastAt = Date.now();
        const f = JSON.parse(e.data);
        if (document.hidden) state.last = f;
        else if (!state.held) show(f);
    };
    source.onerror = () => {
        if (state.link === 'on' || !lostAt) lostAt = lostAt || Date.now();
        state.link = 'lost';
        if (source.readyState === 2) {
            source.close();
            setTimeout(connect, 2000);
        }
    };
}
setInterval(() => {
    const silent = Date.now() - lastAt;
    const l = $('link');
    let text = state.link === 'on' ? (state.held ? 'held' : 'live') : state.link,
        message = '';
    if (state.link === 'lost')
        message =
            'Connection lost ' +
            time(Date.now() - lostAt) +
            ' ago. ' +
            (state.last ? 'Below is how it was at ' + clock(state.last.t) + '. ' : '') +
            'Trying again; if the process was restarted, the page goes on by itself.';
    else if (state.link === 'on' && lastAt && silent > 2500) {
        text = 'silent';
        message =
            'No update for ' +
            time(silent) +
            ': the whole process may be paused (garbage collection, no processor, a debugger). ' +
            'Below is how it was at ' +
            clock(state.last ? state.last.t : lastAt) +
            '.';
    }
    put(l, text);
    l.className = 'link' + (text === 'live' ? ' on' : '');
    put($('lost'), message);
    $('lost').hidden = !message;
    document.body.classList.toggle('lost-on', !!message);
}, 500);

// ---------------------------------------------------------------- by hand

function hold() {
    state.held = !state.held;
    attr($('pause'), 'aria-pressed', String(state.held));
    put($('pause'), state.held ? 'Go on' : 'Hold');
}
function report() {
    const f = state.last;
    if (!f) return 'No reading yet.';
    const lines = [
        state.hello.name + ', process ' + state.hello.pid + ', ' + new Date(f.t).toISOString(),
        lineText,
        $('line2').textContent,
        '',
    ];
    for (const s of f.stuck)
        lines.push(
            (s.s == null ? '' : name(s.s) + '/') +
                name(s.k) +
                ': ' +
                time(s.ms) +
                ', ' +
                waitsFor(s) +
                (s.by ? name(s.by) : '') +
                (s.at ? ', at ' + s.at : '') +
                ', ' +
                s.deep +
                ' tasks wait behind it',
        );
    return lines.join('\n');
}
async function copy() {
    const text = report();
    try {
        await navigator.clipboard.writeText(text);
        put($('copy'), 'Copied');
        setTimeout(() => put($('copy'), 'Copy report'), 1500);
    } catch {
        $('text').value = text;
        $('dialog').showModal();
        $('text').select();
    }
}
async function find() {
    const q = $('q').value,
        box = $('found');
    if (!q) {
        box.hidden = true;
        return;
    }
    box.hidden = false;
    box.replaceChildren(el('p', 'none', 'Looking'));
    try {
        const answer = await fetch('find?q=' + encodeURIComponent(q));
        if (answer.status === 503) {
            box.replaceChildren(el('p', 'none', 'Another search runs. Try again.'));
            return;
        }
        const r = await answer.json();
        const t = el('table');
        rows(t, ['key', 'now', 'oldest waits', 'waiting'], ['', '9em', '8em', '6em'], r.rows.length).forEach(
            (tr, i) => {
                const k = r.rows[i];
                named(tr.cells[0], k[0], k[1], 60);
                put(tr.cells[1], k[3] || k[8] || k[6] || k[7] ? stateOf(k, 0) : 'idle');
                put(tr.cells[2], k[4] ? time(k[4]) : '–');
                put(tr.cells[3], group(k[3]));
                tr.className = longest(k) >= stuckMillis() ? 'x' : '';
            },
        );
        box.replaceChildren(
            el(
                'p',
                'none',
                state.hello.hidden
                    ? 'Names are hidden here, so keys cannot be looked up.'
                    : r.rows.length
                      ? many(r.rows.length, 'key') +
                        (r.rows.length === 8 ? ' or more' : '') +
                        ' with “' +
                        name(q) +
                        '” (looked at all in ' +
                        time(r.ms) +
                        '; Esc closes)'
                      : 'No key with “' + name(q) + '” is known: it is idle and forgotten, or never came.',
            ),
            ...(r.rows.length ? [t] : []),
        );
    } catch {
        box.replaceChildren(el('p', 'none', 'The look-up failed.'));
    }
}
$('find').addEventListener('submit', (e) => {
    e.preventDefault();
    find();
});
$('q').addEventListener('search', () => {
    if (!$('q').value) find(); // was cleared; with Enter comes a submit, too
});
$('pause').addEventListener('click', hold);
$('copy').addEventListener('click', copy);
addEventListener('keydown', (e) => {
    if (e.ctrlKey || e.metaKey || e.altKey) return;
    const typing = e.target.matches('input, textarea');
    if (e.key === 'Escape') {
        $('found').hidden = true;
        if (typing) {
            $('q').value = '';
            $('q').blur();
        }
    } else if (typing) return;
    else if (e.key === '/') {
        e.preventDefault();
        $('q').focus();
    } else if (e.key === ' ' && !e.target.matches('button')) {
        e.preventDefault();
        hold();
    } else if (e.key === 'c') copy();
});
let sized = 0;
addEventListener('resize', () => {
    clearTimeout(sized);
    sized = setTimeout(() => {
        makeCharts();
        forgetGraph();
    }, 150);
});
matchMedia('(prefers-color-scheme: dark)').addEventListener('change', makeCharts);
makeCharts();
if (snapshot)
    fetch('snapshot')
        .then((r) => r.json())
        .then((f) => {
            state.link = 'on';
            lastAt = Date.now() + 1e12;
            take(f.lists);
            show(f);
        });
else connect();
