/**
 * Renders the Helm chart into plain manifests. VALUES: a YAML file as for `helm install --values`; OUT: where they go;
 * NAMESPACE: that of the service; KUBE_VERSION: the cluster's version, if it is older than Kubernetes 1.21.
 */
import { readFile, writeFile } from 'node:fs/promises';
import { CHART, HelmError, renderChart } from './lib/helm.js';
import { PackageError } from './lib/npm-package.js';
import { fail } from './lib/service.js';

const {
  VALUES = 'deploy/manifests/values.yaml',
  OUT = 'deploy/manifests/berth.yaml',
  NAMESPACE = 'berth',
  KUBE_VERSION,
} = process.env;

const values = await readFile(VALUES, 'utf8').catch(() => fail(`there is no file ${VALUES}.`));
try {
  const release = { name: 'berth', namespace: NAMESPACE, values, kubeVersion: KUBE_VERSION || undefined };
  await writeFile(OUT, `# Made by "make manifests" from the chart in ${CHART}.\n${await renderChart(release)}`);
} catch (error) {
  if (error instanceof HelmError || error instanceof PackageError) fail(`${VALUES}: ${error.message}`);
  throw error;
}
console.log(`${OUT}: apply it with kubectl apply -f ${OUT}, once there is the namespace ${NAMESPACE}`);
