/** A command's error message, in one line. */
export function shellError(error: unknown): string {
  const { stderr = '', message } = error as { stderr?: string; message: string };
  const lines = (stderr || message).split('\n').map(line => line.trim());
  return (lines.find(line => /error|cannot|no such/i.test(line)) ?? lines[0] ?? '').slice(0, 300);
}
