const SVG = 'http://www.w3.org/2000/svg';

/** Paths of icons on a 24 by 24 grid. */
const PATHS = {
  pen: 'M4 20l1-5L16.5 3.5a2.1 2.1 0 0 1 3 0l1 1a2.1 2.1 0 0 1 0 3L9 19l-5 1zM14 6l4 4',
  eraser:
    'M8 20h12M5.5 17.5l-2-2a2 2 0 0 1 0-2.8l9-9a2 2 0 0 1 2.8 0l5 5a2 2 0 0 1 0 2.8L12 20H8l-2.5-2.5zM8.5 8.5l7.5 7.5',
  undo: 'M9 14L4 9l5-5M4 9h10a6 6 0 0 1 0 12h-3',
  redo: 'M15 14l5-5-5-5M20 9H10a6 6 0 0 0 0 12h3',
  clear: 'M4 7h16M9 7V4h6v3M6 7l1 13h10l1-13M10 11v5M14 11v5',
  shown: 'M2 12s3.5-7 10-7 10 7 10 7-3.5 7-10 7S2 12 2 12zM12 9a3 3 0 1 0 0 6 3 3 0 0 0 0-6z',
  hidden:
    'M3 3l18 18M10 5.2A10 10 0 0 1 12 5c6.500 0 10 7 10 7a17 17 0 0 1-3 3.800M6 6.500A17 17 0 0 0 2 12s3.500 7 10 7a10 10 0 0 0 4.500-1M9.900 9.900a3 3 0 0 0 4.200 4.200',
  close: 'M6 6l12 12M18 6L6 18',
} as const;

export type Icon = keyof typeof PATHS;

/** Created element by element, since pages may forbid parsing markup. */
export function icon(name: Icon): SVGElement {
  const svg = document.createElementNS(SVG, 'svg');
  svg.setAttribute('viewBox', '0 0 24 24');
  svg.setAttribute('aria-hidden', 'true');
  const path = document.createElementNS(SVG, 'path');
  path.setAttribute('d', PATHS[name]);
  svg.append(path);
  return svg;
}
