// Opens a page in a headless browser and reports, as one JSON object, what a reader would see and
// what the page tried to do. Speaks the browser's debugging protocol over two pipes: no package, no
// port.
//
// usage: node page.mjs BROWSER PAGE.html OUT_FOLDER QUERY [MORE QUERIES, each only counted …]
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const [browser, page, out, query, ...counted] = process.argv.slice(2);
const profile = mkdtempSync(join(tmpdir(), 'mnemo-browser-'));
const chrome = spawn(browser, [
  '--headless=new', '--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage', '--hide-scrollbars',
  '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync',
  '--host-resolver-rules=MAP * ~NOTFOUND', '--remote-debugging-pipe', `--user-data-dir=${profile}`, 'about:blank',
], { stdio: ['ignore', 'ignore', 'pipe', 'pipe', 'pipe'] });
let talk = '';
chrome.stderr.on('data', data => { talk = (talk + data).slice(-4000); });

// ---- the protocol
const pending = new Map();
const listeners = new Map();
let number = 0, buffer = Buffer.alloc(0);
chrome.stdio[4].on('data', data => {
  buffer = Buffer.concat([buffer, data]);
  for (let end = buffer.indexOf(0); end >= 0; end = buffer.indexOf(0)) {
    const message = JSON.parse(buffer.subarray(0, end).toString());
    buffer = buffer.subarray(end + 1);
    if (message.id) {
      const { done, fail } = pending.get(message.id);
      pending.delete(message.id);
      if (message.error) fail(new Error(message.error.message)); else done(message.result);
    } else {
      for (const listener of listeners.get(message.method) || []) listener(message.params);
    }
  }
});
let session;
const send = (method, params = {}) => new Promise((done, fail) => {
  pending.set(++number, { done, fail });
  chrome.stdio[3].write(JSON.stringify({ id: number, method, params, sessionId: session }) + '\0');
});
const on = (method, listener) => listeners.set(method, [...(listeners.get(method) || []), listener]);
const evaluate = async expression => {
  const { result, exceptionDetails } = await send('Runtime.evaluate', { expression, awaitPromise: true, returnByValue: true });
  if (exceptionDetails) throw new Error(`${expression}: ${exceptionDetails.exception?.description || exceptionDetails.text}`);
  return result.value;
};
const sleep = ms => new Promise(done => setTimeout(done, ms));
const until = async (what, expression) => {
  for (let i = 0; i < 600; i++) {
    if (await evaluate(expression)) return;
    await sleep(50);
  }
  throw new Error(`waited in vain until ${what}`);
};

// ---- what is asked of the page
const size = (width, height = 900) => send('Emulation.setDeviceMetricsOverride', { width, height, deviceScaleFactor: 1, mobile: width < 600 });
const theme = value => send('Emulation.setEmulatedMedia', { features: [{ name: 'prefers-color-scheme', value }] });
const shot = async name => {
  const { data } = await send('Page.captureScreenshot', { format: 'png' });
  writeFileSync(join(out, name), Buffer.from(data, 'base64'));
};
// Watches every task that holds the page up, from before its first script on.
const WATCH = `
  globalThis.longest = 0; globalThis.blocked = 0; globalThis.forged = 0; globalThis.violations = [];
  new PerformanceObserver(list => { for (const task of list.getEntries()) {
    longest = Math.max(longest, task.duration); blocked += Math.max(0, task.duration - 50); } })
    .observe({ type: 'longtask', buffered: true });
  addEventListener('securitypolicyviolation', e => violations.push(e.violatedDirective + ' ' + e.blockedURI));
`;
// The lowest contrast between a text and what is behind it.
const CONTRAST = `(() => {
  const parse = c => { const m = c.match(/[\\d.]+/g).map(Number); return m.length < 4 ? [...m, 1] : m; };
  const over = (a, b) => [0, 1, 2].map(i => a[i] * a[3] + b[i] * (1 - a[3])).concat(1);
  const light = c => { const [r, g, b] = c.slice(0, 3).map(v => { v /= 255; return v <= .04045 ? v / 12.92 : ((v + .055) / 1.055) ** 2.4; }); return .2126 * r + .7152 * g + .0722 * b; };
  const behind = node => {
    const layers = [];
    for (let n = node; n; n = n.parentElement) layers.push(parse(getComputedStyle(n).backgroundColor));
    return layers.reverse().reduce((below, layer) => over(layer, below), [255, 255, 255, 1]);
  };
  let worst = { ratio: 99 }, count = 0;
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const text = walker.currentNode.data.trim(), node = walker.currentNode.parentElement;
    if (!text || !node || /^(SCRIPT|STYLE|NOSCRIPT|OPTION)$/.test(node.tagName) || !node.checkVisibility()) continue;
    const back = behind(node), fore = over(parse(getComputedStyle(node).color), back);
    const [a, b] = [light(fore), light(back)];
    const ratio = (Math.max(a, b) + .05) / (Math.min(a, b) + .05);
    count++;
    if (ratio < worst.ratio) worst = { ratio, text: text.slice(0, 40), node: node.tagName + '.' + node.className };
  }
  const placeholder = getComputedStyle(document.getElementById('q'), '::placeholder').color;
  const [a, b] = [light(parse(placeholder)), light(behind(document.getElementById('q')))];
  const ratio = (Math.max(a, b) + .05) / (Math.min(a, b) + .05);
  if (ratio < worst.ratio) worst = { ratio, text: 'placeholder', node: 'input' };
  return { ...worst, count };
})()`;
const overflow = `document.documentElement.scrollWidth - innerWidth`;
const type = text => evaluate(`(() => { const q = document.getElementById('q'); q.value = ${JSON.stringify(text)}; q.dispatchEvent(new Event('input')); })()`);
const searched = text => `document.getElementById('main').dataset.searched === ${JSON.stringify(text)}`;
const takeTasks = `(() => { const told = { longest, blocked }; longest = 0; blocked = 0; return told; })()`;

async function main() {
  const { targetInfos } = await send('Target.getTargets');
  const target = targetInfos.find(t => t.type === 'page');
  session = (await send('Target.attachToTarget', { targetId: target.targetId, flatten: true })).sessionId;
  for (const domain of ['Page', 'Runtime', 'Network', 'Log']) await send(domain + '.enable');
  const url = pathToFileURL(page).href;
  const requests = [], errors = [], dialogs = [];
  on('Network.requestWillBeSent', ({ request }) => { if (request.url !== url) requests.push(request.url); });
  on('Runtime.exceptionThrown', ({ exceptionDetails }) => errors.push(exceptionDetails.exception?.description || exceptionDetails.text));
  on('Log.entryAdded', ({ entry }) => { if (entry.level === 'error') errors.push(entry.text); });
  on('Page.javascriptDialogOpening', ({ message }) => { dialogs.push(message); send('Page.handleJavaScriptDialog', { accept: true }); });
  await send('Page.addScriptToEvaluateOnNewDocument', { source: WATCH });
  await size(1200);
  await theme('light');

  const told = { browser: (await send('Browser.getVersion')).product };
  const loaded = new Promise(done => on('Page.loadEventFired', done));
  await send('Page.navigate', { url });
  await loaded;
  await until('the newest day is shown', `document.querySelectorAll('article').length > 0`);
  await sleep(300);
  told.open = await evaluate(takeTasks);
  told.days = await evaluate(`document.querySelectorAll('#nav a').length`);
  told.day = await evaluate(`document.querySelector('#nav a[aria-current]').hash`);
  told.title = await evaluate(`document.title`);
  told.contrast = { light: await evaluate(CONTRAST) };
  await shot('day-light-1200.png');

  // Day navigation.
  told.older = await evaluate(`(async () => {
    const links = [...document.querySelectorAll('#nav a')]; const last = links[links.length - 1];
    last.click(); await new Promise(r => setTimeout(r, 300));
    return { hash: location.hash, current: document.querySelector('#nav a[aria-current]').hash, articles: document.querySelectorAll('article').length };
  })()`);
  // To the end of that day, as a reader scrolls.
  await evaluate(takeTasks);
  told.scrolled = await evaluate(`(async () => {
    for (let i = 0; i < 40; i++) { scrollBy(0, innerHeight * 2); await new Promise(r => setTimeout(r, 30)); }
    return document.querySelectorAll('article').length;
  })()`);
  told.scroll = await evaluate(takeTasks);

  // Search: the first one reads everything, the next ones do not.
  for (const [name, words] of [['search', query], ['again', query.slice(0, -1)], ['nothing', 'qqxyzzyqq']]) {
    await type(words);
    await until(`${words} is searched for`, searched(words));
    told[name] = await evaluate(takeTasks);
    told[name].hits = await evaluate(`document.querySelector('[role=status]').textContent`);
    told[name].shown = await evaluate(`document.querySelectorAll('.hits li').length`);
    told[name].marks = await evaluate(`document.querySelectorAll('.hits mark').length`);
    if (name === 'search') {
      await sleep(200);
      told.contrast.hits = await evaluate(CONTRAST);
      await shot('hits-light-1200.png');
      told.opened = await evaluate(`(async () => {
        const link = document.querySelector('.hits a'); link.click(); await new Promise(r => setTimeout(r, 500));
        const here = document.querySelector('article.here');
        const box = here && here.getBoundingClientRect();
        const marks = [...(here ? here.querySelectorAll('mark') : [])].map(m => m.textContent);
        return { hash: location.hash, marks, visible: !!box && box.top < innerHeight && box.bottom > 0 };
      })()`);
      told.contrast.marks = await evaluate(CONTRAST);
    }
  }

  told.counted = {};
  for (const words of counted) {
    await type(words);
    await until(`${words} is searched for`, searched(words));
    told.counted[words] = await evaluate(`[document.querySelectorAll('.hits li').length, [...document.querySelectorAll('.hits mark')].map(m => m.textContent)]`);
  }

  // Everything that was said on the hostile day is put into the page, and clicked.
  told.hostile = await evaluate(`(async () => {
    location.hash = document.querySelectorAll('#nav a')[0].hash; document.getElementById('q').value = '';
    await new Promise(r => setTimeout(r, 400));
    for (let i = 0; i < 10; i++) { scrollBy(0, innerHeight * 2); await new Promise(r => setTimeout(r, 30)); }
    const main = document.getElementById('main');
    for (const node of main.querySelectorAll('.body span, .body p, .body code')) node.click();
    const links = [...main.querySelectorAll('.body a')].map(a => a.href);
    await new Promise(r => setTimeout(r, 200));
    return { tags: [...new Set([...main.querySelectorAll('.body *')].map(n => n.tagName.toLowerCase()))].sort(), links,
      handlers: [...main.querySelectorAll('*')].filter(n => [...n.attributes].some(a => a.name.startsWith('on'))).length };
  })()`);

  // Dark, by the system's wish and by the button; narrow.
  await evaluate(`scrollTo(0, 0)`);
  await theme('dark');
  await sleep(300);
  told.contrast.dark = await evaluate(CONTRAST);
  await shot('day-dark-1200.png');
  await evaluate(`document.getElementById('theme').click()`);
  await sleep(300);
  told.toggled = await evaluate(`getComputedStyle(document.documentElement).colorScheme`);
  await evaluate(`document.getElementById('theme').click()`);
  await theme('light');
  await sleep(300);
  told.stays = await evaluate(`getComputedStyle(document.documentElement).colorScheme`);
  told.narrow = {};
  for (const width of [400, 320]) {
    await size(width, 800);
    await sleep(300);
    told.narrow[width] = await evaluate(overflow);
    if (width === 400) await shot('day-dark-400.png');
  }
  await size(400, 800);
  await evaluate(`document.getElementById('theme').click()`);
  await sleep(300);
  await shot('day-light-400.png');
  await evaluate(`document.getElementById('menu').click()`);
  await sleep(200);
  told.menu = await evaluate(`document.getElementById('nav').checkVisibility() && ${overflow} <= 0`);
  await shot('menu-light-400.png');
  await evaluate(`document.querySelector('#nav a').click()`);
  await type(query);
  await until('a narrow search is done', searched(query));
  await sleep(300);
  told.narrow.hits = await evaluate(overflow);
  await shot('hits-light-400.png');

  told.forged = await evaluate(`forged`);
  told.violations = await evaluate(`violations`);
  Object.assign(told, { requests, errors, dialogs });
  console.log(JSON.stringify(told, null, 1));
}

const limit = setTimeout(() => end(new Error('the browser takes too long')), 170000);
function end(error) {
  clearTimeout(limit);
  if (error) console.error(String(error.stack || error), '\n', talk);
  chrome.on('exit', () => { rmSync(profile, { recursive: true, force: true }); process.exit(error ? 1 : 0); });
  chrome.kill();
}
chrome.on('error', end);
main().then(() => end(), end);
