import { escapeArg } from '@yume-chan/adb';
import type { Shell } from '../../../../adb/shell.js';
import { each, type ResetStep } from './step.js';

const NAMESPACES = ['system', 'secure', 'global'] as const;

/** What the system itself changes. */
const VOLATILE = /boot|count|time|last|stat(s|e|us)\b|android_id|version|cache|token|_id$|brightness|volume|battery/i;

const NAME = /^[\w.:/-]{1,200}$/;
const VALUE_MAX = 4096;

/** Settings by which a session could watch or redirect the next one: of these each must be as it was. */
const CRITICAL: readonly string[] = [
  'secure accessibility_enabled',
  'secure always_on_vpn_app',
  'secure always_on_vpn_lockdown',
  'secure assistant',
  'secure autofill_service',
  'secure default_input_method',
  'secure enabled_accessibility_services',
  'secure enabled_input_methods',
  'secure enabled_notification_listeners',
  'secure voice_interaction_service',
  'global global_http_proxy_exclusion_list',
  'global global_http_proxy_host',
  'global global_http_proxy_port',
  'global http_proxy',
  'global private_dns_mode',
  'global private_dns_specifier',
];

/** All settings as `namespace name=value`, without those that the system changes. */
async function read(shell: Shell): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  for (const namespace of NAMESPACES) {
    for (const line of (await shell.ask(['settings', 'list', namespace])).split('\n')) {
      const [, name = '', value = ''] = /^([^=]+)=(.*)$/.exec(line.trimEnd()) ?? [];
      const key = `${namespace} ${name}`;
      const isKept = CRITICAL.includes(key) || !VOLATILE.test(name);
      if (NAME.test(name) && isKept && value.length <= VALUE_MAX) found.set(key, value);
    }
  }
  return found;
}

/** One by one, since a value with line breaks could pass for other settings in a list. */
async function critical(shell: Shell): Promise<Map<string, string>> {
  const told = await each(
    shell,
    CRITICAL.map(it => `echo "${it}=$(settings get ${it} | tr '\\n' ' ')"`),
  );
  const lines = told.split('\n').map(line => line.trimEnd());
  return new Map(
    CRITICAL.map(it => {
      const value = lines.find(line => line.startsWith(`${it}=`))?.slice(it.length + 1) ?? '';
      return [it, value === 'null' ? '' : value.slice(0, VALUE_MAX)];
    }),
  );
}

/** Settings that were changed are set as they were; new ones are deleted. */
export const settings: ResetStep = {
  name: 'settings',
  note: async shell => [...(await read(shell))].map(([key, value]) => `${key}=${value}`),
  async clear(shell, before) {
    const wanted = new Map(
      [...before].map(line => {
        const at = line.indexOf('=');
        return [line.slice(0, at), line.slice(at + 1)] as const;
      }),
    );
    const restore = async (now: ReadonlyMap<string, string>, keys: Iterable<string>) => {
      const commands = [...keys].flatMap(key => {
        const [value, current] = [wanted.get(key) ?? '', now.get(key) ?? ''];
        if (value.trimEnd() === current.trimEnd()) return [];
        return [value === '' ? `settings delete ${key} 2>&1` : `settings put ${key} ${escapeArg(value)} 2>&1`];
      });
      await each(shell, commands);
      return commands.length;
    };
    const listedNow = await read(shell);
    await restore(listedNow, new Set([...listedNow.keys(), ...wanted.keys()]));
    const now = await critical(shell);
    const after = (await restore(now, CRITICAL)) === 0 ? now : await critical(shell);
    return CRITICAL.filter(key => (after.get(key) ?? '').trimEnd() !== (wanted.get(key) ?? '').trimEnd());
  },
};
