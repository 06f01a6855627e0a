import Berth from '/sdk.js';

const element = id => document.getElementById(id);

element('start').onclick = async () => {
  element('start').hidden = true;
  const { sessionId, embedUrl } = await (await fetch('/api/session', { method: 'POST' })).json();
  element('end').hidden = false;
  element('end').onclick = async () => {
    element('end').hidden = true;
    await fetch(`/api/session/${sessionId}`, { method: 'DELETE' });
  };
  await Berth(element('computer'), embedUrl, { timeout: 10_000 });
};

// Whatever has happened before is told, too.
new EventSource('/api/events').onmessage = ({ data }) => {
  const { event, date, id, session_id, tenant_id, ...more } = JSON.parse(data);
  const line = document.createElement('li');
  line.textContent = `${event} ${JSON.stringify(more)}`;
  element('log').append(line);
};
