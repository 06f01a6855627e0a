/** How often the overlay is restored on pages that keep removing foreign elements. */
const RESTORED_MAX = 100;

const STYLE =
  'all: initial; position: fixed; inset: 0; width: 100vw; height: 100vh; margin: 0; padding: 0; border: 0; ' +
  'background: none; overflow: visible; pointer-events: none; contain: layout style; display: block';
const IMPORTANT = STYLE.replaceAll(';', ' !important;').concat(' !important');

/**
 * The element over the page. It is in the browser's top layer, above all of the page's styles, and is restored when the
 * page's scripts remove it.
 */
export class Overlay {
  readonly host = document.createElement('berth-draw');
  readonly shadow = this.host.attachShadow({ mode: 'closed' });
  readonly #restored: () => void;
  readonly #observer = new MutationObserver(() => this.#restore());
  #count = 0;

  /** `restored` is called each time after the page removed it together with its listeners. */
  constructor(css: string, restored: () => void) {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(css);
    // A style element would be subject to the page's content security policy.
    this.shadow.adoptedStyleSheets = [sheet];
    this.#restored = restored;
  }

  show(): void {
    this.host.setAttribute('style', IMPORTANT);
    this.host.setAttribute('popover', 'manual');
    this.#attach();
    document.addEventListener('fullscreenchange', this.#raise);
    addEventListener('toggle', this.#raiseOverOthers, true);
  }

  /** Moves it above later additions to the top layer: full screen elements, other popovers. */
  readonly #raise = () => {
    if (!this.host.isConnected) return;
    if (this.host.matches(':popover-open')) this.host.hidePopover();
    this.host.showPopover();
  };

  readonly #raiseOverOthers = (event: Event) => {
    if (event.target !== this.host && (event as ToggleEvent).newState === 'open') this.#raise();
  };

  #attach(): void {
    this.#observer.disconnect();
    const root = document.documentElement;
    if (!this.host.isConnected) root.append(this.host);
    if (!this.host.matches(':popover-open')) this.host.showPopover();
    this.#observer.observe(document, { childList: true });
    this.#observer.observe(root, { childList: true });
    this.#observer.observe(this.host, { attributes: true });
  }

  #restore(): void {
    if (!document.documentElement || this.#count >= RESTORED_MAX) return;
    const isIntact = this.host.getAttribute('style') === IMPORTANT && this.host.getAttribute('popover') === 'manual';
    if (this.host.isConnected && isIntact && this.host.matches(':popover-open')) {
      // The page's own elements changed.
      this.#attach();
      return;
    }
    this.#count++;
    for (const { name } of [...this.host.attributes]) this.host.removeAttribute(name);
    this.show();
    this.#restored();
  }
}
