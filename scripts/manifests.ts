/**
 * Renders the Helm chart into plain manifests, for clusters without Helm. VALUES: a YAML file as for `helm install
 * --values`; OUT: where they go; NAMESPACE: that of the service; API_VERSIONS: what a cluster has of what the newest
 * have, with commas between, if it is older than Kubernetes 1.21.
 */
import { Ajv } from 'ajv';
import { readFile, writeFile } from 'node:fs/promises';
import { parse } from 'yaml';
import { namespaced } from './lib/chart/namespaced.js';
import { renderChart } from './lib/chart/render.js';
import { fail } from './lib/service.js';

const CHART = 'deploy/helm/berth';
/** What the newest clusters have. */
const NEWEST = 'networking.k8s.io/v1/Ingress,policy/v1/PodDisruptionBudget';

const {
  VALUES = 'deploy/manifests/values.yaml',
  OUT = 'deploy/manifests/berth.yaml',
  NAMESPACE = 'berth',
  API_VERSIONS = NEWEST,
} = process.env;

const read = (path: string) => readFile(path, 'utf8').catch(() => fail(`there is no file ${path}.`));

const schema = JSON.parse(await read(`${CHART}/values.schema.json`)) as object;
const validate = new Ajv({ strict: false, allErrors: true }).compile(schema);
const values = await readYaml(VALUES);
const defaults = await readYaml(`${CHART}/values.yaml`);
if (!validate(merged(defaults, values))) {
  const errors = validate.errors?.map(({ instancePath, message }) => `${instancePath || '/'} ${message}`);
  fail(`${VALUES}: ${errors?.join('; ')}.`);
}
const versions = API_VERSIONS.split(',').filter(Boolean);
const rendered = await renderChart({ name: 'berth', namespace: NAMESPACE, values, versions });
await writeFile(OUT, `# Made by "make manifests" from the chart in ${CHART}.\n${namespaced(rendered, NAMESPACE)}`);
console.log(`${OUT}: apply it with kubectl apply -f ${OUT}, once there is the namespace ${NAMESPACE}`);

async function readYaml(path: string): Promise<Record<string, unknown>> {
  const text = await read(path);
  try {
    return (parse(text) ?? {}) as Record<string, unknown>;
  } catch (error) {
    fail(`${path}: ${(error as Error).message}`);
  }
}

/** Lays values over others, as helm does. */
function merged(under: Record<string, unknown>, over: Record<string, unknown>): Record<string, unknown> {
  const isObject = (value: unknown): value is Record<string, unknown> =>
    typeof value === 'object' && value !== null && !Array.isArray(value);
  const pairs = Object.entries(over).map(([key, value]) => {
    const below = under[key];
    return [key, isObject(below) && isObject(value) ? merged(below, value) : value] as const;
  });
  return { ...under, ...Object.fromEntries(pairs) };
}
