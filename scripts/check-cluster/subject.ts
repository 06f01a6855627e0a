import type { Config } from '../../src/server/config/index.js';
import type { Cluster, KubernetesEngineOptions } from '../../src/server/engines/kubernetes/index.js';
import type { PodSettings } from '../../src/server/engines/kubernetes/pod-spec.js';

/** The cluster to be checked, and the settings for sessions in it. */
export interface Subject {
  config: Config;
  cluster: Cluster;
  settings: PodSettings;
  engine: KubernetesEngineOptions;
}
