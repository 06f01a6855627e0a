import { Agent, request } from 'node:http';

/**
 * Sends GET requests over `connections` keep-alive connections for some time; returns answers per second and their
 * latencies, ms.
 */
export async function requestRate(
  url: string,
  headers: Record<string, string>,
  { ms, connections }: { ms: number; connections: number },
): Promise<{ perSecond: number; times: number[] }> {
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const began = performance.now();
  const times: number[] = [];
  const one = async () => {
    while (performance.now() < began + ms) {
      const sent = performance.now();
      await get(url, headers, agent);
      times.push(performance.now() - sent);
    }
  };
  await Promise.all(Array.from({ length: connections }, one));
  agent.destroy();
  return { perSecond: (times.length * 1000) / (performance.now() - began), times };
}

function get(url: string, headers: Record<string, string>, agent: Agent): Promise<void> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { headers, agent }, response => {
      if (response.statusCode !== 200) return reject(new Error(`${url} answered ${response.statusCode}`));
      response.once('end', resolve).once('error', reject).resume();
    });
    sent.once('error', reject).end();
  });
}
