import { readFileSync } from 'node:fs';
import { anOwnService, rowsOf } from './an-own-service.ts';

/**
 * An account whose campaigns are called like scripts, and about which the service and the drafts do not agree: one value was
 * changed on both sides, and of one campaign nobody knows whether it was made.
 */
const SCRIPT = '<script>window.ran=1</script>';
const IMAGE = '<img src=x onerror=window.ran=1>';

/** @returns ends the service */
export async function disputedAccount(dataDir: string, folder: string): Promise<() => Promise<void>> {
  const { place, cli, importRows, order, close } = await anOwnService(dataDir, folder, IMAGE);
  importRows(...rowsOf(IMAGE, '1.60'));
  cli('sync', '--yes');
  cli('export', place('sent.csv'));
  const item = readFileSync(place('sent.csv'), 'utf8')
    .split('\n')
    .find((line) => line.startsWith('ad item'));
  await order(`console/ad-items/${/(\d+),[^,]*\s*$/.exec(item ?? '')?.[1]}`, { bid: 3.5 });
  importRows(...rowsOf(IMAGE, '2.60'));
  cli('refresh');
  importRows(...rowsOf(SCRIPT, '1.70'));
  await order('faults', { kind: 'drop-after', match: { method: 'POST' } });
  cli('sync', '--yes');
  return close;
}
