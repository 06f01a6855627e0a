import { readFile } from 'node:fs/promises';
import t from 'tap';
import { parseAllDocuments } from 'yaml';
import { namespaced } from '../../scripts/lib/chart/namespaced.js';

interface Manifest {
  kind: string;
  metadata: { name: string; namespace?: string };
}

const manifestsOf = (text: string) => parseAllDocuments(text).map(each => each.toJS() as Manifest);

t.test('manifests that name no namespace get that of the service', async t => {
  const rendered = `# a comment
---
kind: Role
metadata:
  name: a
  namespace: berth-sessions
---
kind: Namespace
metadata:
  name: berth-sessions
---
kind: Deployment
metadata:
  name: b
spec:
  template:
    metadata:
      labels: {}
`;
  t.same(
    manifestsOf(namespaced(rendered, 'web'))
      .filter(Boolean)
      .map(({ kind, metadata }) => [kind, metadata.namespace]),
    [
      ['Role', 'berth-sessions'],
      ['Namespace', undefined],
      ['Deployment', 'web'],
    ],
  );
});

t.test('kubectl can apply the plain manifests without being told a namespace', async t => {
  const manifests = manifestsOf(await readFile('deploy/manifests/berth.yaml', 'utf8')).filter(Boolean);
  const homeless = manifests.filter(({ kind, metadata }) => kind !== 'Namespace' && metadata.namespace === undefined);
  t.ok(manifests.length > 5);
  t.same(homeless, []);
});
