/**
 * The example: a question, the hits with their reasons, and the proof that the reply can be made again.
 *
 * @import {CosineExplain, Hit, Pick, ReplayReply, Reply} from '../src/abi.js'
 * @import {OpenOptions} from '../src/door.js'
 * @import {Corpus} from '../src/corpus.js'
 * @import {Engine} from '../src/engine.js'
 */

const documents = [
  { id: 'cranes', title: 'Crane maintenance', text: 'Crane faults at berth 7 are logged at once. The crane brake is checked every shift; a crane with a fault is taken out of service.' },
  { id: 'tides', title: 'Tide windows', text: 'Deep draught vessels leave in the tide window. The harbour office publishes the tide windows for each berth a week ahead.' },
  { id: 'pilots', title: 'Pilotage', text: 'Pilots board two miles before the breakwater. In strong wind boarding moves further out, and the tide decides when.' },
  { id: 'customs', title: 'Customs', text: 'Reefer containers are inspected first. Customs releases the others in the order of their arrival.' },
  { id: 'fire', title: 'Fire watch', text: 'Hot work on a vessel needs a fire watch, an extinguisher and a permit that names the berth.' },
];

/**
 * start opens the engine and answers the questions of the form.
 *
 * @param {(options: OpenOptions) => Promise<Engine>} open
 * @param {OpenOptions} options
 */
export async function start(open, options) {
  const form = /** @type {HTMLFormElement} */ (document.querySelector('form'));
  try {
    const engine = await open(options);
    const corpus = await engine.open(documents);
    const ask = () => answer(corpus, String(new FormData(form).get('query')));
    form.addEventListener('submit', (event) => {
      event.preventDefault();
      void ask();
    });
    await ask();
  } catch (thrown) {
    show([element('p', { role: 'alert' }, String(/** @type {Error} */ (thrown).message))]);
  }
}

/**
 * @param {Corpus} corpus
 * @param {string} query
 */
async function answer(corpus, query) {
  try {
    const { reply, bytes } = await corpus.retrieve({ query, recallBudget: 3, explain: true, text: 'snippet' });
    const verdict = await corpus.replay(bytes);
    show([...reply.hits.map((hit) => hitView(hit, reply)), receipt(reply, bytes, verdict)]);
  } catch (thrown) {
    show([element('p', { role: 'alert' }, String(/** @type {Error} */ (thrown).message))]);
  }
}

/**
 * @param {Hit} hit
 * @param {Reply} reply
 */
function hitView(hit, reply) {
  return element('article', {}, [
    element('h2', {}, `${hit.rank}. ${hit.title ?? hit.id}`),
    element('p', {}, hit.text ?? ''),
    element('ul', {}, hit.needs.map((need) => element('li', {}, reason(need, reply)))),
  ]);
}

/**
 * reason says why a need picked a hit.
 *
 * @param {Pick} need
 * @param {Reply} reply
 */
function reason(need, reply) {
  const { terms } = /** @type {CosineExplain} */ (need.explain ?? { terms: [] });
  const shared = terms.map(({ term, query, document }) => `${term} (${query} × ${document})`).join(', ');
  const asked = reply.audit.subqueries.find(({ index }) => index === need.index)?.text;
  return `place ${need.rank} for “${asked}”: score ${need.score}; terms of both: ${shared}`;
}

/**
 * @param {Reply} reply
 * @param {Uint8Array} bytes
 * @param {ReplayReply} verdict
 */
function receipt(reply, bytes, verdict) {
  return element('footer', {}, [
    element('p', { id: 'verdict' }, `Replay: ${verdict.verdict}`),
    element('p', {}, reply.reason ? `No answer: ${reply.reason}` : `${reply.hits.length} hits, ${reply.omitted.documents} more matched, ${bytes.length} bytes`),
    element('p', {}, ['reply ', element('code', { id: 'digest' }, reply.digest)]),
    element('p', {}, ['engine ', element('code', { id: 'engine' }, reply.engine)]),
    element('p', {}, ['corpus ', element('code', { id: 'corpus' }, reply.corpus)]),
  ]);
}

/** @param {Element[]} views */
function show(views) {
  /** @type {Element} */ (document.querySelector('output')).replaceChildren(...views);
}

/**
 * @param {string} tag
 * @param {Record<string, string>} attributes
 * @param {string | (Element | string)[]} content
 */
function element(tag, attributes, content) {
  const it = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    it.setAttribute(name, value);
  }
  it.append(...(typeof content === 'string' ? [content] : content));
  return it;
}
