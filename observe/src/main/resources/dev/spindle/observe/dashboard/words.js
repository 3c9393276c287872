// Copyright 2026 The Spindle Authors
// SPDX-License-Identifier: Apache-2.0

/** Numbers, times and names as texts, and small helpers for the document. */

export const $ = (id) => document.getElementById(id);
export const el = (tag, cls, text) => {
    const e = document.createElement(tag);
    if (cls) e.className = cls;
    if (text != null) e.textContent = text;
    return e;
};
export const put = (e, text) => {
    if (e.textContent !== text) e.textContent = text;
};
export const attr = (e, name, v) => {
    if (e.getAttribute(name) !== v) e.setAttribute(name, v);
};

/** A frame of a stack with its line, but without its file. */
export const where = (at) => (at || '').replace(/ \(.*?:(\d+)\)$/, ':$1');

export const group = (n) => Math.round(n).toLocaleString('en-US');
export function count(n) {
    // at most three digits that matter in a rate
    if (n >= 1e6) return (n / 1e6).toFixed(n < 1e7 ? 2 : 1) + ' million';
    if (n >= 1e4) return group(Math.round(n / 100) * 100);
    return n > 0 && n < 10 && !Number.isInteger(n) ? n.toFixed(1) : group(n);
}
const units = { ms: [' ms', ' s', ' min', ' h', ' d'], words: [' ms', ' second', ' minute', ' hour', ' day'] };
export function time(ms, words) {
    const u = words ? units.words : units.ms;
    const n = (x, i) => x + u[i] + (words && i && x !== 1 && x !== '1' ? 's' : '');
    if (ms < 0) return '–';
    if (ms < 0.0995) return (ms * 1000).toFixed(ms < 0.00995 ? 1 : 0) + ' µs';
    if (ms < 9.95) return ms.toFixed(ms < 0.995 ? 2 : 1) + ' ms';
    if (ms < 999.5) return Math.round(ms) + ' ms';
    if (ms < 9950) return words ? n(Math.round(ms / 1000), 1) : (ms / 1000).toFixed(1) + ' s';
    const s = Math.floor(ms / 1000),
        m = Math.floor(s / 60),
        h = Math.floor(m / 60),
        d = Math.floor(h / 24);
    if (s < 60) return n(s, 1);
    if (m < 60) return n(m, 2) + (words || m > 9 ? '' : ' ' + (s % 60) + ' s');
    if (h < 24) return n(h, 3) + (words ? '' : ' ' + (m % 60) + ' min');
    return n(d, 4) + (words ? '' : ' ' + (h % 24) + ' h');
}
/** A time in its greatest unit alone. */
export const brief = (ms) => time(ms).replace(/^(\d+ (?:min|h|d)) .*$/, '$1');
export const many = (n, one, more) => group(n) + ' ' + (n === 1 ? one : more || one + 's');
export const clock = (t) => new Date(t).toLocaleTimeString('en-GB');

/** A name made safe to look at: what cannot be seen or turns the line around is shown as its number. */
export function name(k) {
    if (k == null) return '(none)';
    if (k === '') return '(empty)';
    if (/^\s+$/.test(k)) return '(' + many(k.length, 'blank') + ')';
    return k
        .replace(/[\u0000-\u001f\u007f-\u009f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]/g, (c) =>
            c < ' ' ? String.fromCharCode(0x2400 + c.charCodeAt(0)) : '‹' + c.charCodeAt(0).toString(16) + '›',
        )
        .replace(/[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g, '\ufffd');
}
export function short(k, most = 34) {
    // ends differ more often than middles
    const cs = [...name(k)],
        tail = most < 20 ? 4 : 12;
    return cs.length <= most
        ? cs.join('')
        : cs.slice(0, Math.max(1, most - tail - 1)).join('') + '…' + cs.slice(-tail).join('');
}
/** Shows a name after the name of its space, with at most `room` letters. */
export function named(parent, space, key, room) {
    const most = space == null ? room : room - 3; // at least the begin of the space is shown
    const text = (space == null ? '' : short(space, 16) + '/') + short(key, most);
    if (parent.dataset.k === text) return;
    parent.dataset.k = text;
    parent.replaceChildren();
    const both = el('span', 'nm');
    if (space != null) both.append(el('bdi', 'space', short(space, 16) + '/'));
    both.append(el('bdi', 'own', short(key, most)));
    parent.append(both);
    parent.title = (space == null ? '' : name(space) + '/') + name(key);
}
