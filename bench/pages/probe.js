/**
 * Observes the picture in a viewer's page, in the same way for every viewer: after each drawing onto the visible
 * canvas, pixels are read back, which also forces the browser to draw.
 */
(() => {
  const FAR = 40;
  const BLOCK = 32;
  const BITS = 16;
  /** Smaller canvases are drawn for mouse pointers and the like. */
  const LEAST_WIDTH = 256;
  const watchers = new Set();
  let canvas = null;
  let keyAt = 0;
  let videoBytes = 0;
  let bytes = 0;

  for (const name of ['drawImage', 'putImageData']) {
    const paint = CanvasRenderingContext2D.prototype[name];
    CanvasRenderingContext2D.prototype[name] = function (...args) {
      paint.apply(this, args);
      // Canvases outside the page are only used for preparation.
      if (!this.canvas.isConnected || this.canvas.width < LEAST_WIDTH) return;
      canvas = this.canvas;
      for (const watcher of [...watchers]) watcher();
    };
  }
  addEventListener('keydown', event => (keyAt = event.timeStamp), { capture: true });

  // A proxy instead of a subclass: noVNC checks the members of plain sockets.
  window.WebSocket = new Proxy(window.WebSocket, {
    construct(Socket, args) {
      const socket = Reflect.construct(Socket, args);
      socket.addEventListener('message', ({ data }) => {
        if (!(data instanceof ArrayBuffer)) return;
        bytes += data.byteLength;
        if (new Uint8Array(data, 0, 1)[0] === 1) videoBytes += data.byteLength;
      });
      return socket;
    },
  });

  /** A pixel at a quarter of the picture's width and height, away from the pointer; null while there is no picture. */
  const spot = () =>
    canvas === null || canvas.width < 9 || canvas.height < 9
      ? null
      : canvas.getContext('2d').getImageData(canvas.width >> 2, canvas.height >> 2, 1, 1).data;
  const differs = (a, b) => [0, 1, 2].some(i => Math.abs(a[i] - b[i]) > FAR);

  /** The frame number in the blocks of the moving page; null if they cannot be read. */
  const number = () => {
    if (canvas === null || canvas.width < (BITS + 2) * BLOCK) return null;
    const row = canvas.getContext('2d').getImageData(0, BLOCK / 2, (BITS + 2) * BLOCK, 1).data;
    const bright = bit => row[(bit * BLOCK + BLOCK / 2) * 4 + 1];
    const levels = Array.from({ length: BITS + 2 }, (_, bit) => bright(bit));
    if (levels[BITS] < 192 || levels[BITS + 1] > 64 || levels.some(level => level > 64 && level < 192)) return null;
    return levels.slice(0, BITS).reduce((sum, level, bit) => sum + (level > 128 ? 1 << bit : 0), 0);
  };

  const watch = (ms, look) =>
    new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        watchers.delete(watcher);
        reject(new Error(`nothing seen in ${ms} ms, spot: ${spot()}`));
      }, ms);
      const watcher = () => {
        const seen = look();
        if (seen === undefined) return;
        clearTimeout(timer);
        watchers.delete(watcher);
        resolve(seen);
      };
      watchers.add(watcher);
      watcher();
    });

  const kept = [];
  const pixels = () => {
    const { width, height } = canvas;
    return { width, height, data: canvas.getContext('2d').getImageData(0, 0, width, height).data };
  };
  const encoded = async ({ width, height, data }) => {
    const url = await new Promise(resolve => {
      const reader = new FileReader();
      reader.onload = () => resolve(reader.result);
      reader.readAsDataURL(new Blob([data]));
    });
    return { width, height, base64: url.slice(url.indexOf(',') + 1) };
  };

  let change = null;
  /**
   * Calls one function after each drawing and the other with each frame of the page, for so many milliseconds; returns
   * the seconds.
   */
  async function during(ms, drawn, shown) {
    let running = true;
    const refresh = time => running && (shown(time), requestAnimationFrame(refresh));
    watchers.add(drawn);
    const began = performance.now();
    requestAnimationFrame(refresh);
    await new Promise(resolve => setTimeout(resolve, ms));
    running = false;
    watchers.delete(drawn);
    return (performance.now() - began) / 1000;
  }

  window.probe = {
    /** Resolves when the spot has approximately this colour. */
    colour: (rgb, ms) =>
      watch(ms, () => {
        const seen = spot();
        return seen !== null && !differs(seen, rgb) ? true : undefined;
      }),
    /** Resolves when the blocks of the moving page can be read. */
    motion: ms => watch(ms, () => (number() === null ? undefined : true)),
    /** Starts waiting for the first change of the spot. */
    arm(ms) {
      const before = spot();
      change = watch(ms, () => (differs(spot(), before) ? performance.now() : undefined));
      change.catch(() => {});
    },
    /** Milliseconds from the last key to the change. */
    changed: async () => (await change) - keyAt,
    /** Counts frames of the moving page for so many milliseconds. */
    async count(ms) {
      const drawn = new Set();
      const shown = new Set();
      const times = [performance.now()];
      let numbers = [];
      let unread = 0;
      const take = (set, time) => {
        const seen = number();
        if (seen === null) return unread++;
        if (time !== undefined && !set.has(seen)) times.push(time);
        set.add(seen);
        numbers = [numbers[0] ?? seen, seen];
      };
      const seconds = await during(
        ms,
        () => take(drawn),
        time => take(shown, time),
      );
      times.push(performance.now());
      const pauses = times.slice(1).map((at, i) => at - times[i]);
      const made = (numbers[1] - numbers[0]) & 0xffff;
      return { seconds, drawn: drawn.size, shown: shown.size, pauses, made, unread };
    },
    /** Keeps the pixels of so many frames of the moving page that were shown within so many milliseconds. */
    async keep(count, ms) {
      kept.length = 0;
      const began = performance.now();
      await during(
        ms,
        () => {},
        () => {
          if (performance.now() - began < (kept.length * ms) / count || kept.length === count) return;
          const seen = number();
          if (seen !== null) kept.push({ number: seen, ...pixels() });
        },
      );
      return kept.map(frame => frame.number);
    },
    /** A kept frame in base64, four bytes a pixel, red first. */
    kept: index => encoded(kept[index]),
    /** The same of what is on the canvas now. */
    pixels: () => encoded(pixels()),
    /** Resolves when the moving page stands still at this frame. */
    holds: (frame, ms) => watch(ms, () => (number() === frame ? true : undefined)),
    /** Counts how often the spot changes its colour within so many milliseconds. */
    async colours(ms) {
      const last = { drawn: spot(), shown: spot() };
      const counts = { drawn: 0, shown: 0 };
      const take = name => {
        const seen = spot();
        if (differs(seen, last[name])) counts[name]++;
        last[name] = seen;
      };
      const seconds = await during(
        ms,
        () => take('drawn'),
        () => take('shown'),
      );
      return { seconds, ...counts };
    },
    /** Bytes received through sockets so far, with those of Berth's video also counted separately. */
    received: () => ({ videoBytes, bytes }),
  };
})();
