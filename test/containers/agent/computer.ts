import { execFile } from 'node:child_process';
import { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { Preparation } from '../../../src/protocol/preparation.js';
import { LINK_VERSION } from '../../../src/protocol/link-proof.js';
import { AGENT_PORT } from '../../../src/protocol/message-type.js';
import type { AgentAddress } from '../../../src/server/agent-link/agent-connection.js';
import { AgentHttp } from '../../../src/server/agent-link/agent-http.js';
import type { AgentRequest } from '../../../src/server/model/index.js';
import { agentEnvironment } from '../../../src/server/engines/container.js';
import { execute } from '../../fixtures/engines/docker.js';
import type { ServerIdentity } from '../../fixtures/certificates/index.js';
import { imageName } from '../../fixtures/engines/images.js';
import { serveIn, type Site } from '../../fixtures/pages/site-in-container.js';
import { until } from '../../fixtures/until.js';

const run = promisify(execFile);
const seccomp = fileURLToPath(new URL('../../../images/seccomp.json', import.meta.url));
const owned = 'rw,nosuid,nodev,noexec,mode=0700,uid=1000,gid=1000';

export const SECRET = 'the-link-secret-of-this-test';

interface Teardown {
  teardown(handler: () => unknown): void;
}

interface Options {
  hosts?: readonly string[];
  image?: 'chromium' | 'console' | 'android-device';
  /** Another image than the product's, and what else it is started with. */
  other?: { image: string; args: readonly string[] };
  /** Version of the link's protocol that the service speaks which starts it. */
  linkVersion?: number;
  /** What its environment tells it to prepare. */
  preparation?: Preparation;
  /** Certificates of authorities that its browser trusts too, as PEM. */
  caCertificates?: readonly string[];
}

/** Certificates as the service tells them to agents. */
const inEnvironment = (caCertificates: readonly string[]) =>
  agentEnvironment({ sessionId: '', kind: 'chromium', linkSecret: SECRET }, caCertificates)['BERTH_CA_CERTIFICATES'] ??
  '';

let count = 0;

/** A session's container as the service starts it, without the service. */
export class Computer {
  readonly name: string;
  readonly agent: AgentAddress;

  private constructor(name: string, host: string, linkVersion: number) {
    this.name = name;
    this.agent = { host, port: AGENT_PORT, secret: SECRET, linkVersion };
  }

  /** Starts one that finds `hosts` at its own address; it is removed when the test ends. */
  static async start(
    t: Teardown,
    {
      hosts = [],
      image = 'chromium',
      linkVersion = LINK_VERSION,
      other,
      preparation,
      caCertificates = [],
    }: Options = {},
  ): Promise<Computer> {
    const name = `berth-test-agent-${process.pid}-${++count}`;
    t.teardown(() => run('docker', ['rm', '-fv', name]).catch(() => undefined));
    await run('docker', [
      'run',
      '-d',
      '--name',
      name,
      '-e',
      `BERTH_LINK_SECRET=${SECRET}`,
      ...(linkVersion === 1 ? [] : ['-e', `BERTH_LINK_VERSION=${linkVersion}`]),
      ...(preparation === undefined ? [] : ['-e', `BERTH_PREPARE=${JSON.stringify(preparation)}`]),
      ...(caCertificates.length === 0 ? [] : ['-e', `BERTH_CA_CERTIFICATES=${inEnvironment(caCertificates)}`]),
      '--user',
      '1000:1000',
      '--cap-drop',
      'ALL',
      '--read-only',
      '--security-opt',
      'no-new-privileges',
      '--security-opt',
      `seccomp=${seccomp}`,
      '--tmpfs',
      '/tmp:rw,nosuid,nodev,exec,mode=1777',
      '--tmpfs',
      `/run/berth:${owned}`,
      '--tmpfs',
      `/home/berth:${owned}`,
      ...(image === 'console' ? ['--tmpfs', `/rom:${owned}`] : []),
      '--shm-size',
      '512m',
      '--memory',
      '2g',
      '--pids-limit',
      '1024',
      ...hosts.map(host => `--add-host=${host}:127.0.0.1`),
      ...(other?.args ?? []),
      other?.image ?? imageName(image),
    ]);
    const { stdout } = await run('docker', ['inspect', '-f', '{{.NetworkSettings.IPAddress}}', name]);
    return new Computer(name, stdout.trim(), linkVersion);
  }

  /** Runs a command inside as the session's user; gives what it wrote. */
  async exec(...command: string[]): Promise<string> {
    return execute(this.name, command);
  }

  /** Process IDs inside of those whose command line matches, oldest first. */
  async pids(pattern: RegExp): Promise<number[]> {
    const script = 'for p in /proc/[0-9]*; do echo "${p#/proc/} $(tr "\\0" " " < $p/cmdline)"; done 2>/dev/null';
    const lines = (await this.exec('sh', '-c', script)).split('\n').map(line => /^(\d+) (.*)$/.exec(line));
    return lines.flatMap(line => (line && pattern.test(line[2] ?? '') ? [Number(line[1])] : [])).sort((a, b) => a - b);
  }

  /** Kills the one matching process with SIGKILL once it runs; gives its ID. */
  async kill(pattern: RegExp): Promise<number> {
    const [pid] = await until(`${pattern} runs`, async () => {
      const found = await this.pids(pattern);
      return found.length > 0 && found;
    });
    await this.exec('sh', '-c', `kill -9 ${pid}`);
    return pid as number;
  }

  /** Ends the container politely; gives its exit code and how many milliseconds that took by the engine's clock. */
  async stop(): Promise<{ code: number; ms: number }> {
    await run('docker', ['stop', '-t', '10', this.name]);
    const { stdout } = await run('docker', ['inspect', '-f', '{{.State.ExitCode}}', this.name]);
    const [asked, gone] = [await this.#happened('kill'), await this.#happened('die')];
    return { code: Number(stdout), ms: gone - asked };
  }

  /** Waits until the container has ended by itself; gives its exit code. */
  async ended(): Promise<number> {
    return Number((await run('docker', ['wait', this.name])).stdout);
  }

  /** When the engine first noted this of the container itself, in milliseconds. */
  async #happened(event: 'kill' | 'die'): Promise<number> {
    const filters = ['--filter', `container=${this.name}`, '--filter', `event=${event}`];
    const past = ['--since', '1', '--until', (Date.now() / 1000).toFixed(3)];
    const { stdout } = await run('docker', ['events', ...past, ...filters, '--format', '{{.TimeNano}}']);
    const nanoseconds = stdout.split('\n')[0] ?? '';
    if (nanoseconds === '') throw new Error(`the engine knows of no ${event}`);
    return Number(nanoseconds) / 1e6;
  }

  async log(): Promise<string> {
    return (await run('docker', ['logs', this.name])).stdout;
  }

  /** Asks the agent for a picture of the display. */
  screenshot(query = ''): Promise<Response> {
    return this.request('GET', `/screenshot${query}`);
  }

  /** An address at the agent's port. */
  url(path: string, protocol = 'http'): string {
    return `${protocol}://${this.agent.host}:${this.agent.port}${path}`;
  }

  /** Sends the agent a request as the service does. */
  async request(
    method: AgentRequest['method'],
    path: string,
    content?: string | Uint8Array | Readable,
    signal = AbortSignal.timeout(120_000),
  ): Promise<Response> {
    const body = content === undefined || content instanceof Readable ? content : Buffer.from(content);
    const answer = await new AgentHttp(this.agent).send({
      method,
      path,
      signal,
      ...(body === undefined ? {} : { body }),
    });
    const headers = Object.entries(answer.headers).map(([name, value]) => [name, String(value)] as [string, string]);
    const isEmpty = answer.statusCode === 204;
    if (isEmpty) answer.resume();
    return new Response(isEmpty ? null : (Readable.toWeb(answer) as BodyInit), {
      status: answer.statusCode ?? 0,
      headers,
    });
  }

  /** Serves a page inside, see `serveIn`. */
  serve(
    html: string,
    port?: number,
    scripts?: Readonly<Record<string, string>>,
    identity?: ServerIdentity,
  ): Promise<Site> {
    return serveIn(this.name, html, port, scripts, identity);
  }
}
