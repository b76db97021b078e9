import { type Capabilities, DOCUMENTED_ONLY } from '../../shared/plan/plan-types.ts';
import type { SyncDeps } from './port.ts';

const CAPABILITIES_KEY = 'capabilities';

/** What the service offers beyond the document: as the account says, or probed once and kept. */
export async function capabilitiesOf({
  workspace,
  api,
  capabilities,
}: Pick<SyncDeps, 'workspace' | 'api' | 'capabilities'>): Promise<Capabilities> {
  if (capabilities !== 'probe') return capabilities;
  const kept = await workspace.getMeta(CAPABILITIES_KEY);
  // The value was written below, by this program alone.
  if (kept !== null) return JSON.parse(kept) as Capabilities;
  const probed = await api.probeCapabilities();
  if (!probed.ok) return DOCUMENTED_ONLY;
  await workspace.setMeta(CAPABILITIES_KEY, JSON.stringify(probed.value));
  return probed.value;
}
