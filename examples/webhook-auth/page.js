import Berth from '/sdk.js';

const element = id => document.getElementById(id);
const say = sentence => (element('sentence').textContent = sentence);

element('door').onsubmit = async event => {
  event.preventDefault();
  const { embedUrl } = await (await fetch('/api/session')).json();
  try {
    await Berth(element('computer'), embedUrl, {
      webhookUserdata: { name: element('name').value, code: element('code').value },
      timeout: 10_000,
      onAccessChange: ({ control }) => say(control ? 'You have control.' : 'You may watch.'),
      onDisconnect: ({ type }) => say(type === 'unauthorized' ? 'You may not come in.' : 'The session is over.'),
    });
    element('door').hidden = true;
  } catch (error) {
    say(error.name === 'SessionTerminatedError' ? 'You may not come in.' : error.message);
  }
};
