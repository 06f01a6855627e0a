import { escapeArg, type Adb } from '@yume-chan/adb';

/** What a command on the device printed, and its status. */
export interface Output {
  readonly status: number;
  readonly text: string;
}

/** Milliseconds that a command may take by default. */
const PATIENCE = 15_000;

/** A command on the device failed, or did not end in time. */
export class ShellError extends Error {
  override readonly name = 'ShellError';
}

/** Commands on a device. Arguments are quoted: they reach the command as they are. */
export class Shell {
  readonly #adb: Adb;

  constructor(adb: Adb) {
    this.#adb = adb;
  }

  /** Runs a command and returns what it printed, whatever its status. @throws ShellError if it does not end in time */
  async run(args: readonly string[], patience = PATIENCE): Promise<Output> {
    return within(patience, this.#run(args), `"${args.join(' ')}" did not end in time`);
  }

  /** Runs a command that must succeed, and returns what it printed, trimmed. @throws ShellError */
  async ask(args: readonly string[], patience?: number): Promise<string> {
    const { status, text } = await this.run(args, patience);
    if (status !== 0) throw new ShellError(`"${args.join(' ')}" ended with ${status}: ${text.trim().slice(0, 500)}`);
    return text.trim();
  }

  /** Runs commands one after the other, in one go; all must succeed. Their text is not quoted. @throws ShellError */
  script(commands: readonly string[], patience?: number): Promise<string> {
    return this.ask(['sh', '-c', commands.join(' && ')], patience);
  }

  /** Runs a command and returns its output as bytes. @throws ShellError */
  async bytes(args: readonly string[], patience = PATIENCE): Promise<Buffer> {
    const output = this.#adb.subprocess.noneProtocol.spawnWait(args.map(escapeArg));
    return Buffer.from(await within(patience, output, `"${args.join(' ')}" did not end in time`));
  }

  async #run(args: readonly string[]): Promise<Output> {
    const command = args.map(escapeArg);
    const { shellProtocol, noneProtocol } = this.#adb.subprocess;
    if (shellProtocol !== undefined) {
      const { stdout, stderr, exitCode } = await shellProtocol.spawnWaitText(command);
      return { status: exitCode, text: stdout + stderr };
    }
    // Devices before Android 7 do not tell a status.
    const text = await noneProtocol.spawnWaitText([...command, ';', 'echo', '$?']);
    const [, output = '', status = '1'] = /^([^]*?)(\d+)\s*$/.exec(text) ?? [];
    return { status: Number(status), text: output };
  }
}

async function within<T>(patience: number, work: Promise<T>, problem: string): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new ShellError(`${problem} (${patience} ms).`)), patience);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
