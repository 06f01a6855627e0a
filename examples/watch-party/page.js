import Berth from '/sdk.js';

const element = id => document.getElementById(id);
const ask = async (path, body) => {
  const response = await fetch(path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  return response.ok ? response.json() : null;
};

element('door').onsubmit = async event => {
  event.preventDefault();
  element('door').hidden = true;
  element('computer').hidden = false;
  const { embedUrl, key } = await ask('/api/enter', { name: element('name').value });
  // A viewer gets a new ID with every connection: the server must know the latest.
  const tellId = () => session && ask('/api/connected', { key, userId: session.userId });
  let session = null;
  session = await Berth(element('computer'), embedUrl, {
    timeout: 10_000,
    showCursors: true,
    onConnectionStateChange: ({ state }) => state === 'playing' && tellId(),
    onDisconnect: () => (element('sentence').textContent = 'The party is over.'),
  });
  await tellId();
  new EventSource(`/api/people?key=${key}`).onmessage = ({ data }) => show(JSON.parse(data), key);
};

/** Shows who is there: the one in control can pass it on, anybody can take it while nobody has it. */
function show(people, key) {
  const me = people.find(person => person.isYou);
  const someone = people.some(person => person.controls);
  const button = (text, to) => {
    const made = document.createElement('button');
    made.textContent = text;
    made.onclick = () => ask('/api/control', { key, to });
    return made;
  };
  element('people').replaceChildren(
    ...people.flatMap(person => {
      const name = document.createElement('span');
      name.textContent = person.isYou ? `${person.name} (you)` : person.name;
      name.className = person.controls ? 'controls' : '';
      return me?.controls && !person.isYou ? [name, button(`Pass control to ${person.name}`, person.number)] : [name];
    }),
    ...(someone ? [] : [button('Take control', me?.number)]),
    ...(me?.controls ? [button('Give control back', null)] : []),
  );
}
