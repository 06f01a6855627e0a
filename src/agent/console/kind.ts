/** The consoles that can be played. */
export type ConsoleKind = 'nes' | 'snes' | 'n64' | 'ps1';

export const CONSOLE_KINDS: readonly ConsoleKind[] = ['nes', 'snes', 'n64', 'ps1'];

export const isConsoleKind = (kind: string): kind is ConsoleKind => (CONSOLE_KINDS as readonly string[]).includes(kind);
