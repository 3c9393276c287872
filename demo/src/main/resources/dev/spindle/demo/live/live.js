// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0

/** Draws the flights from New York: the farther from the middle, the more miles flown. */

'use strict';
const $ = (id) => document.getElementById(id);
const put = (e, text) => {
    if (e.textContent !== text) e.textContent = text;
};
const STUCK = 5000;
const RINGS = [500, 1000, 2000, 5000];
const css = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
const time = (ms) => (ms < 1000 ? ms + ' ms' : Math.floor(ms / 1000) + ' s');
const many = (n, one, more) => n.toLocaleString('en-US') + ' ' + (n === 1 ? one : more);
const angles = new Map(); // of destinations, by their names, so that a place stays
function angleOf(place) {
    if (!angles.has(place)) {
        let h = 7;
        for (const c of place) h = (h * 31 + c.charCodeAt(0)) % 360;
        angles.set(place, (h / 180) * Math.PI);
    }
    return angles.get(place);
}
const reach = (miles, most) => Math.sqrt(Math.min(miles, 5000) / 5000) * most;

/** Returns an empty canvas in the resolution of the screen: a pen, its width and its height. */
function canvasOf(id) {
    const canvas = $(id);
    const ratio = devicePixelRatio;
    const w = canvas.clientWidth;
    const h = canvas.clientHeight;
    if (canvas.width !== Math.round(w * ratio) || canvas.height !== Math.round(h * ratio)) {
        canvas.width = Math.round(w * ratio);
        canvas.height = Math.round(h * ratio);
    }
    const pen = canvas.getContext('2d');
    pen.setTransform(ratio, 0, 0, ratio, 0, 0);
    pen.clearRect(0, 0, w, h);
    return [pen, w, h];
}

const MINUTE = 60000;
const past = []; // the time, the threads, and those that run a task
function drawPast(state) {
    const now = Date.now();
    past.push([now, state.threads, Math.min(state.threads, state.running.length)]);
    while (past.length > 2 && past[1][0] < now - MINUTE) past.shift();
    const [pen, w, h] = canvasOf('past');
    const most = Math.max(8, ...past.map((p) => p[1]));
    const x = (t) => w - ((now - t) / MINUTE) * w;
    const y = (n) => h - 1 - (n / most) * (h - 14);
    for (const [row, colour] of [
        [1, '--idle'],
        [2, '--run'],
    ]) {
        pen.fillStyle = css(colour);
        pen.beginPath();
        pen.moveTo(Math.max(0, x(past[0][0])), h);
        past.forEach((p, i) => {
            pen.lineTo(Math.max(0, x(p[0])), y(p[row]));
            pen.lineTo(Math.max(0, x(i + 1 < past.length ? past[i + 1][0] : now)), y(p[row]));
        });
        pen.lineTo(w, h);
        pen.fill();
    }
    pen.fillStyle = css('--dim');
    pen.font = '11px system-ui, sans-serif';
    pen.fillText(String(most), 0, 10);
}

const places = []; // the thread of each cell, so that a task stays in its cell
function placed(state) {
    const running = new Map(state.running.map((r) => [r[3], r]));
    for (const id of running.keys()) {
        if (places.includes(id)) continue;
        const free = places.findIndex((p) => !running.has(p));
        if (free < 0) places.push(id);
        else places[free] = id;
    }
    for (let i = places.length - 1; i >= 0 && places.length > state.threads; i--)
        if (!running.has(places[i])) places.splice(i, 1);
    return places.map((id) => running.get(id));
}

function draw(state) {
    const [pen, w, h] = canvasOf('sky');
    const x = w / 2;
    const y = h / 2;
    const most = Math.min(x, y) - 14;
    pen.font = '11px system-ui, sans-serif';
    for (const miles of RINGS) {
        pen.strokeStyle = css('--line');
        pen.beginPath();
        pen.arc(x, y, reach(miles, most), 0, 2 * Math.PI);
        pen.stroke();
        pen.fillStyle = css('--dim');
        pen.fillText(miles.toLocaleString('en-US') + ' miles', x + 4, y - reach(miles, most) + 12);
    }
    const hung = new Map(state.running.filter((r) => r[1] >= STUCK).map((r) => [r[0], r]));
    const flights = [...state.flights].sort((a, b) => hung.has(a[0]) - hung.has(b[0])); // those on top come last
    for (const [tail, place, miles, progress] of flights) {
        const stuck = hung.get(tail);
        if (!place && !stuck) continue;
        const angle = angleOf(place || tail);
        const r = Math.max(place ? 0 : 16, reach(miles * progress, most));
        const px = x + r * Math.cos(angle);
        const py = y + r * Math.sin(angle);
        pen.fillStyle = css(stuck ? '--stuck' : '--run');
        pen.beginPath();
        if (stuck) pen.rect(px - 5, py - 5, 10, 10);
        else pen.arc(px, py, 3, 0, 2 * Math.PI);
        pen.fill();
        if (stuck) {
            pen.font = '700 12px system-ui, sans-serif';
            pen.fillText(tail + ', stuck for ' + time(stuck[1]), px + 9, py + 4);
        }
    }
}

function show(state) {
    const hung = state.running.filter((r) => r[1] >= STUCK);
    const air = state.flights.filter((f) => f[1]).length;
    const names = new Set(hung.map((r) => r[0]));
    const late = state.flights.filter((f) => f[4] > 0 && f[5] > 60 && !names.has(f[0])).length;
    const others = late ? many(late, 'other is late.', 'others are late.') : 'All others are on time.';
    put(
        $('line'),
        hung.length
            ? many(hung.length, 'aircraft', 'aircraft') +
                  ' stuck: ' +
                  hung.map((r) => r[0]).join(', ') +
                  ', for ' +
                  time(hung[0][1]) +
                  '. ' +
                  others
            : many(air, 'aircraft', 'aircraft') + ' in the air. ' + (late ? others : 'All are on time.'),
    );
    document.title = (hung.length ? '(' + hung.length + ' stuck) ' : '') + 'Flights';
    put($('time'), new Date(state.minute * 60000).toISOString().slice(0, 16).replace('T', ', '));
    put($('threads'), state.threads + ' now, ' + state.peak + ' at most so far');
    $('switch').setAttribute('aria-pressed', String(state.hangs));
    put($('switch'), state.hangs ? 'Let look-ups answer' : 'Make look-ups hang');
    $('more').href = state.dashboard;
    const box = $('cells');
    const workers = placed(state);
    const cells = Math.min(256, Math.max(state.threads, workers.length));
    while (box.children.length < cells) box.append(document.createElement('i'));
    while (box.children.length > cells) box.lastChild.remove();
    box.setAttribute('aria-label', state.running.length + ' run a task, ' + hung.length + ' of them stuck');
    [...box.children].forEach((cell, i) => {
        const r = workers[i];
        cell.className = r ? (r[1] >= STUCK ? 'x' : 'r') : '';
        put(cell, r && r[1] >= STUCK ? '!' : '');
        cell.title = r ? r[0] + ' for ' + time(r[1]) : 'idle';
    });
    const rows = state.running.slice(0, 10).map((r) => {
        const tr = document.createElement('tr');
        if (r[1] >= STUCK) tr.className = 'x';
        for (const text of [r[0], time(r[1]), String(r[2])]) {
            const td = document.createElement('td');
            td.textContent = text;
            tr.append(td);
        }
        return tr;
    });
    $('rows').replaceChildren(...rows);
    draw(state);
    drawPast(state);
}
$('switch').addEventListener('click', () => {
    const on = $('switch').getAttribute('aria-pressed') === 'true';
    fetch(on ? 'heal' : 'hang', { method: 'POST' });
});
async function tick() {
    try {
        if (!document.hidden) show(await (await fetch('state')).json());
    } catch {
        put($('line'), 'Connection lost. Trying again.');
    }
    setTimeout(tick, 200);
}
tick();
