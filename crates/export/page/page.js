(() => {
'use strict';
const $ = id => document.getElementById(id);
const read = id => JSON.parse($(id).textContent);
const W = read('words');
// Days, oldest first: date, number of entries, first chunk, entries of each chunk.
const days = read('days').map(([date, [first, counts]]) =>
  ({ date, first, counts, count: counts.reduce((a, b) => a + b, 0) }));
const main = $('main'), nav = $('nav'), input = $('q'), who = $('who');
const SLICE = 12;          // milliseconds of work between two breaths
const BATCH = 10;          // entries put into the page at once
const SHOWN = 100;         // hits shown at once

const el = (tag, attributes, ...children) => {
  const node = document.createElement(tag);
  for (const [key, value] of Object.entries(attributes || {})) node.setAttribute(key, value);
  node.append(...children);
  return node;
};
// Lets the browser breathe.
const channel = new MessageChannel();
const waiting = [];
channel.port1.onmessage = () => waiting.shift()();
const breathe = () => new Promise(done => { waiting.push(done); channel.port2.postMessage(0); });

// Chunks are taken apart when they are needed; the last few are kept.
const kept = new Map();
function chunk(number) {
  let entries = kept.get(number);
  if (!entries) {
    entries = read('c' + number);
    if (kept.size > 12) kept.delete(kept.keys().next().value);
    kept.set(number, entries);
  }
  return entries;
}
function entry(day, at) {
  for (let i = 0; i < day.counts.length; i++) {
    if (at < day.counts[i]) return chunk(day.first + i)[at];
    at -= day.counts[i];
  }
}

const locale = document.documentElement.lang;
const asDate = date => new Date(date + 'T12:00:00');
const longDate = new Intl.DateTimeFormat(locale, { dateStyle: 'full' });
const month = new Intl.DateTimeFormat(locale, { year: 'numeric', month: 'long' });
const weekday = new Intl.DateTimeFormat(locale, { weekday: 'short' });

// ---- days
const links = new Map();
function drawNav() {
  let list, last;
  for (let i = days.length - 1; i >= 0; i--) {
    const day = days[i], name = day.date.slice(0, 7);
    if (name !== last) {
      last = name;
      list = el('ul');
      nav.append(el('h2', {}, month.format(asDate(day.date))), list);
    }
    const link = el('a', { href: '#' + day.date },
      el('b', {}, day.date.slice(8)), ' ', el('span', {}, weekday.format(asDate(day.date))),
      el('i', {}, String(day.count)));
    link.setAttribute('aria-label', longDate.format(asDate(day.date)) + ', ' + day.count + ' ' + W.entries);
    links.set(day.date, link);
    list.append(el('li', {}, link));
  }
}

// ---- one day
let view = 0;              // counts views, so that late work of an old one stops
let watcher = null;
function article(day, at) {
  const [time, role, html] = entry(day, at);
  const body = el('div', { class: 'body' });
  body.innerHTML = html;
  return el('article', { class: role ? 'a' : 'u', id: 'e' + at },
    el('header', {}, el('h3', {}, role ? W.assistant : W.user), el('time', {}, time.slice(0, 5)),
      el('a', { href: '#' + day.date + '/' + at, title: W.link, 'aria-label': W.link }, '#')),
    body);
}
function showDay(index, at, marks) {
  const mine = ++view;
  const day = days[index];
  if (watcher) watcher.disconnect();
  main.textContent = '';
  for (const [date, link] of links) {
    if (date === day.date) link.setAttribute('aria-current', 'date'); else link.removeAttribute('aria-current');
  }
  const current = links.get(day.date);
  if (current && nav.offsetParent) {
    const box = nav.getBoundingClientRect(), own = current.getBoundingClientRect();
    if (own.top < box.top || own.bottom > box.bottom) nav.scrollTop += own.top - box.top - box.height / 3;
  }
  main.append(el('div', { class: 'day' }, el('h2', {}, longDate.format(asDate(day.date))),
    el('p', {}, day.count + ' ' + W.entries)));
  let start = at > 0 ? Math.max(0, at - 3) : 0, end = start;
  const earlier = el('button', { type: 'button', class: 'more' }, W.earlier);
  const list = el('div', { class: 'entries' });
  const foot = el('div', { class: 'foot' });
  const step = (to, word, symbol) => to
    ? el('a', { href: '#' + to.date, class: 'step' }, el('small', {}, word), to.date) : el('span');
  foot.append(step(days[index - 1], W.prev), step(days[index + 1], W.next));
  const sentinel = el('div', { class: 'sentinel' });
  main.append(earlier, list, sentinel, foot);
  earlier.hidden = start === 0;
  foot.hidden = true;
  earlier.onclick = () => {
    const from = Math.max(0, start - BATCH * 2), fresh = document.createDocumentFragment();
    for (let i = from; i < start; i++) fresh.append(article(day, i));
    const anchor = list.firstChild, before = anchor.getBoundingClientRect().top;
    list.prepend(fresh);
    scrollBy(0, anchor.getBoundingClientRect().top - before);
    start = from;
    earlier.hidden = start === 0;
  };
  const grow = () => {
    const until = performance.now() + SLICE, fresh = document.createDocumentFragment();
    let added = 0;
    while (end < day.count && added < BATCH && performance.now() < until) {
      fresh.append(article(day, end++));
      added++;
    }
    list.append(fresh);
    if (end === day.count) { foot.hidden = false; watcher.disconnect(); }
  };
  watcher = new IntersectionObserver(async seen => {
    while (mine === view && end < day.count &&
        sentinel.getBoundingClientRect().top < innerHeight * 2.5) {
      grow();
      await breathe();
    }
  }, { rootMargin: '150% 0px' });
  grow();
  watcher.observe(sentinel);
  if (at >= 0) {
    const target = $('e' + at);
    if (target) {
      target.classList.add('here');
      if (marks) mark(target, marks);
      const hit = target.querySelector('mark') || target;
      hit.scrollIntoView({ block: hit === target ? 'start' : 'center' });
    }
  } else {
    scrollTo(0, 0);
  }
}
// Marks words in what is shown.
function mark(node, words) {
  const walker = document.createTreeWalker(node.querySelector('.body'), NodeFilter.SHOW_TEXT);
  const texts = [];
  while (walker.nextNode() && texts.length < 5000) texts.push(walker.currentNode);
  let count = 0;
  for (const text of texts) {
    const found = places(text.data, words);
    for (let i = found.length - 1; i >= 0 && count < 500; i--, count++) {
      const [from, to] = found[i];
      const rest = text.splitText(from);
      rest.splitText(to - from);
      rest.replaceWith(el('mark', {}, rest.data));
    }
  }
}

// ---- search
// As `mnemo search` folds: case, the accents of Latin letters and the width of letters do not count, nor
// whether they are joined; what others combine (kana, Hangul) stays.
const APART = {
  '\u00df': 'ss', '\u00e6': 'ae', '\u00f0': 'd', '\u00f8': 'o', '\u00fe': 'th', '\u0111': 'd', '\u0127': 'h', '\u0131': 'i',
  '\u0142': 'l', '\u0153': 'oe', '\u0167': 't', '\u017f': 's', '\u03c2': '\u03c3', '\u3000': ' ',
  '\ufb00': 'ff', '\ufb01': 'fi', '\ufb02': 'fl', '\ufb03': 'ffi', '\ufb04': 'ffl', '\ufb05': 'st', '\ufb06': 'st',
};
const fold = text => {
  const low = text.toLowerCase();
  if (!/[^\0-\x7f]/.test(low)) return low;
  return low.normalize('NFD').replace(/[\u0300-\u036f]/g, '').normalize('NFC')
    .replace(/[\u00df\u00e6\u00f0\u00f8\u00fe\u0111\u0127\u0131\u0142\u0153\u0167\u017f\u03c2\u3000\ufb00-\ufb06]/g, letter => APART[letter])
    .replace(/[\uff01-\uff5e]/g, wide => String.fromCharCode(wide.charCodeAt(0) - 0xfee0));
};
// Where words stand in a text as it is: folding makes some letters longer and others shorter.
function places(text, words) {
  if (!/[^\0-\x7f]/.test(text)) return spans(fold(text), words);
  let line = '';
  const from = [], to = [];
  for (const { 0: letter, index } of text.matchAll(/[\u1100-\u11ff]+|[^][\p{M}]*/gu)) {
    const piece = fold(letter);
    line += piece;
    for (let i = 0; i < piece.length; i++) { from.push(index); to.push(index + letter.length); }
  }
  return spans(line, words).map(([a, b]) => [from[a], to[b - 1]]);
}
const entities = { '&lt;': '<', '&gt;': '>', '&quot;': '"', '&#39;': "'", '&amp;': '&' };
const plain = html => html
  .replace(/<(?:\/t[dh]|\/li|\/p|\/h\d|br|hr|\/button|\/figcaption)[^>]*>/g, ' ')
  .replace(/<[^>]*>/g, '')
  .replace(/&(?:lt|gt|quot|amp|#39);/g, entity => entities[entity]);
const texts = [];          // by chunk: folded text of each entry, made at the first search
function textsOf(number) {
  return texts[number] || (texts[number] = read('c' + number).map(e => [fold(plain(e[2])), e[1]]));
}
// Quoted phrases and words, each in all its spellings, of which one must occur: a German umlaut may be
// written in two letters, there or here.
function parse(query) {
  const words = [];
  for (const [, phrase, word] of query.normalize('NFC').matchAll(/"([^"]+)"?|(\S+)/g)) {
    const typed = (phrase || word || '').trim(), text = fold(typed).trim();
    if (text) words.push([...new Set([text, fold(typed.replace(/[\u00e4\u00f6\u00fc]/gi, '$&e')), joined(text)])]);
  }
  return words;
}
const joined = word => word.length < 5 ? word : word.replace(/(?<![aeiouq])([aou])e(?=[^aeiou])/g, '$1');
function spans(text, words) {
  const found = [];
  for (const word of words.flat()) {
    for (let at = text.indexOf(word); at >= 0 && found.length < 1000; at = text.indexOf(word, at + word.length)) {
      found.push([at, at + word.length]);
    }
  }
  found.sort((a, b) => a[0] - b[0] || b[1] - a[1]);
  const apart = [];
  for (const span of found) {
    if (!apart.length || span[0] >= apart[apart.length - 1][1]) apart.push(span);
  }
  return apart;
}
async function search(query) {
  const words = parse(query), role = who.value;
  if (!words.length && !role) return false;
  const mine = ++view;
  if (watcher) watcher.disconnect();
  for (const link of links.values()) link.removeAttribute('aria-current');
  const status = el('p', { role: 'status' }, W.searching + ' …');
  const list = el('ol', { class: 'hits' });
  const more = el('button', { type: 'button', class: 'more' }, W.more);
  more.hidden = true;
  main.replaceChildren(el('div', { class: 'day' }, el('h2', {}, query || who.selectedOptions[0].text), status), list, more);
  scrollTo(0, 0);
  const hits = [];
  let shown = 0, limit = SHOWN;
  const draw = () => {
    const fresh = document.createDocumentFragment();
    for (let i = 0; i < 10 && shown < hits.length && shown < limit; i++, shown++) fresh.append(hit(hits[shown], words));
    list.append(fresh);
    more.hidden = shown < limit || shown >= hits.length;
  };
  more.onclick = async () => {
    limit += SHOWN;
    while (mine === view && shown < hits.length && shown < limit) { draw(); await breathe(); }
  };
  let until = performance.now() + SLICE;
  for (let d = days.length - 1; d >= 0; d--) {
    const day = days[d];
    let base = day.count;
    for (let c = day.counts.length - 1; c >= 0; c--) {
      base -= day.counts[c];
      const list = textsOf(day.first + c);
      for (let i = list.length - 1; i >= 0; i--) {
        const [text, said] = list[i];
        if (role !== '' && said !== +role) continue;
        if (words.every(word => word.some(spelling => text.includes(spelling)))) hits.push({ day: d, at: base + i, chunk: day.first + c, in: i });
      }
      if (performance.now() > until) {
        draw();
        await breathe();
        if (mine !== view) return true;
        until = performance.now() + SLICE;
      }
    }
  }
  while (mine === view && shown < hits.length && shown < limit) { draw(); await breathe(); }
  if (mine === view) {
    status.textContent = hits.length ? hits.length.toLocaleString(locale) + ' ' + W.hits : W.nohits;
    main.dataset.searched = query;
  }
  return true;
}
function hit({ day, at, chunk: number, in: i }, words) {
  const [time, role, html] = chunk(number)[i];
  const date = days[day].date, text = plain(html).replace(/\s+/g, ' ').trim();
  const first = places(text, words)[0];
  const from = Math.max(0, (first ? first[0] : 0) - 70), piece = text.slice(from, from + 260);
  const quote = el('p');
  if (from) quote.append('… ');
  let done = 0;
  for (const [a, b] of places(piece, words)) {
    quote.append(piece.slice(done, a), el('mark', {}, piece.slice(a, b)));
    done = b;
  }
  quote.append(piece.slice(done), from + 260 < text.length ? ' …' : '');
  return el('li', {}, el('a', { href: '#' + date + '/' + at, class: role ? 'a' : 'u' },
    el('span', { class: 'meta' }, el('b', {}, role ? W.assistant : W.user), ' ', el('time', {}, date + ' ' + time.slice(0, 5))), quote));
}

// ---- where we are
let fromSearch = null;
function route() {
  menu(false);
  const [, date, at] = /^#(\d{4}-\d\d-\d\d)(?:\/(\d+))?$/.exec(location.hash) || [];
  const index = days.findIndex(day => day.date === date);
  if (!days.length) { main.append(el('p', { class: 'empty' }, W.none)); return; }
  if (index < 0 && location.hash && location.hash !== '#') return;
  const number = at === undefined ? -1 : +at;
  const chosen = index < 0 ? days.length - 1 : index;
  showDay(chosen, number < days[chosen].count ? number : -1, fromSearch);
  fromSearch = null;
}
let timer;
async function seek() {
  clearTimeout(timer);
  if (!(await search(input.value.trim()))) { delete main.dataset.searched; route(); }
}
input.addEventListener('input', () => { clearTimeout(timer); timer = setTimeout(seek, 120); });
input.addEventListener('keydown', event => { if (event.key === 'Enter') seek(); });
who.addEventListener('change', seek);
main.addEventListener('click', event => {
  const target = event.target.closest('a, button');
  if (!target) return;
  if (target.closest('.hits')) {
    fromSearch = parse(input.value);
    if (target.hash === location.hash) { event.preventDefault(); route(); }
  } else if (target.closest('.tags')) {
    input.value = target.textContent.replace(/^#/, '#');
    seek();
  }
});
nav.addEventListener('click', event => {
  // The day that was shown before a search has the address of now.
  const link = event.target.closest('a');
  if (link && link.hash === location.hash) route();
});
addEventListener('hashchange', route);
addEventListener('keydown', event => {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const typing = /^(INPUT|SELECT|TEXTAREA)$/.test(event.target.tagName);
  if (event.key === '/' && !typing) { event.preventDefault(); input.focus(); input.select(); }
  if (event.key === 'Escape') {
    menu(false);
    if (event.target === input) { input.value = ''; input.blur(); seek(); }
  }
});
function menu(open) {
  document.body.classList.toggle('open', open);
  $('menu').setAttribute('aria-expanded', String(open));
}
$('menu').onclick = () => menu(!document.body.classList.contains('open'));

// ---- light and dark
const root = document.documentElement;
const dark = matchMedia('(prefers-color-scheme: dark)');
function paint(theme) { if (theme) root.dataset.theme = theme; else delete root.dataset.theme; }
try { paint(localStorage.getItem('mnemo-theme')); } catch { /* a page from a file may have none */ }
$('theme').onclick = () => {
  const now = root.dataset.theme || (dark.matches ? 'dark' : 'light');
  const theme = now === 'dark' ? 'light' : 'dark';
  paint(theme);
  try { localStorage.setItem('mnemo-theme', theme); } catch { /* as above */ }
};

drawNav();
route();
})();
