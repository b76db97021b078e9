import { Readable } from 'node:stream';
import { createRouterClient } from '@orpc/server';
import type { Core } from '../../main/core/core.ts';
import { aPng } from '../media/builders.ts';
import { done } from '../store/a-workspace.ts';
import type { Facts } from './calls.ts';

/** Gives the account of a core, a practice one where it has none, a campaign, a logo and two files that wait to be used. */
export async function prepare(core: Core, line: string): Promise<Facts> {
  const client = createRouterClient(core.router);
  const [known] = await client.accounts.list();
  const { workspaceId } = known ?? (await client.accounts.addPractice({ name: 'Shop' }));
  await client.workspace.create({
    workspaceId,
    label: 'A campaign',
    rows: [{ kind: 'campaign', parent: null, values: { name: 'Autumn' } }],
  });
  const view = await client.workspace.openView({ workspaceId, view: { kind: 'campaign' } });
  const shown = await client.workspace.readWindow({ workspaceId, viewId: view.viewId, from: 0, count: 10 });
  const added = await client.media.add({ workspaceId, grants: [await grantFile(core, 'logo.png', aPng(100, 100))] });
  const [campaign, logo] = [shown.rows[0], added.files[0]];
  if (campaign === undefined || logo?.outcome !== 'added') throw new Error('The account could not be prepared.');
  return {
    workspaceId,
    campaign: campaign.id,
    logo: logo.mediaId,
    viewId: view.viewId,
    mediaGrant: await grantFile(core, 'notes.mp4', Buffer.from('no film at all')),
    sheetGrant: await grantFile(core, 'sheet.csv', Buffer.from('name\nWinter\n')),
    line,
  };
}

export const grantFile = async ({ grants }: Core, name: string, bytes: Buffer): Promise<string> =>
  done(await grants.spool(name, Readable.from([bytes]), bytes.length)).grant;
