import { createRequire } from 'node:module';
import { cruise, type ICruiseResult, type IForbiddenRuleType } from 'dependency-cruiser';
import extractTSConfig from 'dependency-cruiser/config-utl/extract-ts-config';
import t from 'tap';

interface Rules {
  forbidden: IForbiddenRuleType[];
  options: object;
}

const { forbidden, options } = createRequire(import.meta.url)('../../.dependency-cruiser.cjs') as Rules;

t.test('no folder imports from a floor above, past an index, or in a circle', async t => {
  const { output } = await cruise(['src'], { ...options, validate: true, ruleSet: { forbidden } }, undefined, {
    tsConfig: extractTSConfig('tsconfig.json'),
  });
  const { summary, modules } = output as ICruiseResult;
  t.ok(modules.length > 400, 'all of the source was looked at');
  t.same(
    summary.violations.map(({ rule, from, to }) => `${rule.name}: ${from} → ${to}`),
    [],
  );
});
