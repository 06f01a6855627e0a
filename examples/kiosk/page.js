import Berth from '/sdk.js';

const element = id => document.getElementById(id);
let session = null;
let countdown;

/** Each visitor gets a fresh browser of the screen's own size. */
element('start').onclick = async () => {
  element('start').textContent = 'One moment…';
  // Who touches it again gets no second one.
  element('start').disabled = true;
  try {
    const response = await fetch(`/api/session?width=${innerWidth}&height=${innerHeight}`, { method: 'POST' });
    if (!response.ok) throw new Error('no session');
    const { embedUrl } = await response.json();
    session = await Berth(element('computer'), embedUrl, {
      timeout: 10_000,
      onCloseWarning: warn,
      onDisconnect: reset,
    });
    element('start').hidden = true;
  } catch {
    reset();
  }
};

element('stay').onclick = () => session?.ping();

/** The visitor has gone quiet: counts down to the end of the session. */
function warn(warning) {
  clearInterval(countdown);
  const deadline = warning?.deadline;
  element('warning').hidden = !deadline;
  if (!deadline) return;
  const end = performance.now() + deadline.delay;
  const tell = () =>
    (element('left').textContent = `Starting over in ${Math.max(0, Math.ceil((end - performance.now()) / 1000))} s`);
  countdown = setInterval(tell, 250);
  tell();
}

/** Ready for the next visitor. */
function reset() {
  warn(null);
  session?.destroy();
  session = null;
  element('start').textContent = 'Touch to start';
  element('start').disabled = false;
  element('start').hidden = false;
}
