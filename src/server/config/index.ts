export type { AdbDevice, AndroidConfig, AndroidDevices, EmulatorConfig } from './android.js';
export {
  type AuditConfig,
  type Config,
  type ContainerLimits,
  type DatabaseConfig,
  type DockerAddress,
  type EgressConfig,
  type EngineAddress,
  type GpuConfig,
  parseConfig,
  type ProfileStorageConfig,
  type RomConfig,
  type S3Config,
  type ViewerLimits,
} from './config.js';
export { type Credentials, loadCredentials } from './credentials.js';
export { ConfigError } from './environment.js';
export type { KubernetesAddress, KubernetesConfig, SeccompProfile, Toleration } from './kubernetes.js';
