import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Application, Converter, type DeclarationReflection, ReflectionKind } from 'typedoc';

const TITLE =
  '# Reference of the web SDK\n\nMade from the types by `npm run docs`; [the web SDK](sdk.md) has the same as a summary.\n';

/** The web SDK's reference as Markdown, generated from its types. */
export async function sdkReference(): Promise<string> {
  const out = await mkdtemp(join(tmpdir(), 'berth-docs-'));
  try {
    // The plugin's options are missing from TypeDoc's types.
    const options: Record<string, unknown> = {
      entryPoints: ['src/web/sdk/index.ts'],
      tsconfig: 'src/web/tsconfig.json',
      plugin: ['typedoc-plugin-markdown'],
      outputs: [{ name: 'markdown', path: out }],
      readme: 'none',
      disableSources: true,
      excludeExternals: true,
      excludeReferences: true,
      skipErrorChecking: true,
      logLevel: 'Warn',
      treatWarningsAsErrors: true,
      outputFileStrategy: 'modules',
      entryFileName: 'reference.md',
      hidePageHeader: true,
      hideBreadcrumbs: true,
      hidePageTitle: true,
      groupOrder: ['Functions', 'Interfaces', 'Classes', '*'],
      parametersFormat: 'table',
      interfacePropertiesFormat: 'table',
      typeAliasPropertiesFormat: 'table',
      useCodeBlocks: true,
    };
    const app = await Application.bootstrapWithPlugins(options);
    // What an interface inherits is described where it comes from. Members are put into groups after this.
    app.converter.on(Converter.EVENT_RESOLVE_END, ({ project }) => {
      for (const { children = [] } of project.getReflectionsByKind(ReflectionKind.Interface) as DeclarationReflection[])
        for (const member of [...children]) if (member.inheritedFrom !== undefined) project.removeReflection(member);
    });
    const project = await app.convert();
    if (project === undefined) throw new Error('the types of the web SDK cannot be read');
    await app.generateOutputs(project);
    if (app.logger.hasErrors() || app.logger.hasWarnings())
      throw new Error('TypeDoc has something to say about the types');
    const text = await readFile(join(out, 'reference.md'), 'utf8');
    return `${TITLE}\n${text.trimEnd()}\n`;
  } finally {
    await rm(out, { recursive: true, force: true });
  }
}
