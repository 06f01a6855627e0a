export type { AdbDevice, AndroidConfig, AndroidDevices, EmulatorConfig } from './android.js';
export { type Config, parseConfig, type RomConfig, type ViewerLimits } from './config.js';
export { type Credentials, loadCredentials } from './credentials.js';
export type { DockerAddress, EngineAddress } from './engine-settings.js';
export { ConfigError } from './environment.js';
export { EVENT_NAMES, type EventsConfig } from './events.js';
export type { GpuConfig } from './gpu.js';
export type { KubernetesAddress, KubernetesConfig, SeccompProfile, Toleration } from './kubernetes.js';
export type {
  AuditConfig,
  ContainerLimits,
  DatabaseConfig,
  EgressConfig,
  ProfileStorageConfig,
  S3Config,
} from './settings.js';
