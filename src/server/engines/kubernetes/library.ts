/**
 * The classes of the Kubernetes client that the service uses, from their own modules: with the whole client, loading
 * takes five times as long. Import it only where a cluster is configured.
 */
export { KubeConfig } from '@kubernetes/client-node/dist/config.js';
export { PortForward } from '@kubernetes/client-node/dist/portforward.js';
