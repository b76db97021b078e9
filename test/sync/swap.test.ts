import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createBannerSwaps } from '../../main/app/account-settings.ts';
import { type RunningSandbox, startSandbox } from '../../sandbox/start.ts';
import { defaultDeploymentSettings } from '../../shared/deployment/deployment-settings.ts';
import { beginSwap, offeredSwap, type SwapState, swapState } from '../../shared/lifecycle/swap.ts';
import { WITH_EXTENSIONS } from '../../shared/plan/plan-types.ts';
import { addLogo, sbaDraft } from './a-draft.ts';
import { openAccount, type TestAccount } from './an-account.ts';
import { type Control, controlOf } from './control.ts';

const profile = defaultDeploymentSettings('shop.example');
let sandbox: RunningSandbox;
let control: Control;
let account: TestAccount;
let folder: string;

beforeEach(async () => {
  sandbox = await startSandbox({ scenario: 'empty', clock: 'virtual', extensions: true });
  control = controlOf(sandbox);
  folder = await mkdtemp(join(tmpdir(), 'adslate-swap-'));
  account = await openAccount({ sandbox, folder, capabilities: WITH_EXTENSIONS });
});
afterEach(async () => {
  await account.close();
  await sandbox.close();
  await rm(folder, { recursive: true, force: true });
});

async function theTree() {
  const [tree] = await account.workspace.readTrees('all');
  if (tree === undefined) throw new Error('the campaign has gone');
  return tree;
}

/** Where it stands, read anew from the files of the account. */
async function standing(): Promise<SwapState> {
  const tree = await theTree();
  const swap = await createBannerSwaps(account.workspace).of(tree.campaign.id);
  const state = swap === null ? null : swapState(tree, swap, profile.sba.singleEnabled);
  if (state === null) throw new Error('no swap is under way');
  return state;
}

async function restart(): Promise<void> {
  await account.close();
  account = await openAccount({ sandbox, folder, capabilities: WITH_EXTENSIONS });
}

/** Does what the present step asks for; a review is waited for. */
async function obey({ move }: SwapState): Promise<void> {
  if (move?.way === 'edit') await account.edit('sbaProfile', move.id, { headline: 'Rolls for guests' });
  if (move?.way === 'write') await account.edit('sbaProfile', move.id, { status: move.status });
  if (move?.way === 'sync') expect(await account.run()).toMatchObject({ state: 'finished', refused: [] });
  if (move?.way === 'submit') expect(await account.run({ submit: true })).toMatchObject({ reviews: 1 });
  if (move?.way === 'look' && move.at === 'rows') await account.sync.refresh();
  if (move?.way === 'look' && move.at === 'reviews') {
    await control.advance('P4D');
    await account.sync.reviews.poll();
  }
}

test('a live campaign gets another banner without a pause, through a restart at every step', async () => {
  const logo = await addLogo(account);
  const ids = await account.create(sbaDraft(logo));
  const [campaignId, groupId] = ids;
  if (campaignId === undefined || groupId === undefined) throw new Error('the draft has a campaign and a group');
  await account.create([
    {
      kind: 'sbaProfile',
      parent: { id: groupId },
      values: {
        brand: 'Northwind',
        headline: 'Rolls for later',
        clickUrl: 'https://shop.example/browse/later',
        logo,
        status: 'disabled',
      },
    },
  ]);
  await account.run();
  await control.advance('PT31M');
  expect(await account.run({ submit: true })).toMatchObject({ reviews: 1 });
  await control.advance('P4D');
  await account.sync.reviews.poll();
  await control.advance('P1900D');
  await account.sync.refresh();
  expect((await theTree()).campaign.values.serviceStatus).toBe('live');

  const offered = offeredSwap(await theTree());
  if (offered === null) throw new Error('the campaign has two profiles');
  await createBannerSwaps(account.workspace).keep(beginSwap(offered, campaignId));
  const steps: string[] = [];
  for (let turn = 0; turn < 12; turn++) {
    await restart();
    const state = await standing();
    if (steps.at(-1) !== state.step) steps.push(state.step);
    if (state.step === 'done') break;
    await obey(state);
    expect((await control.state()).campaigns.map(({ status }) => status)).toEqual(['live']);
  }
  expect(steps.filter((step) => step !== 'disable')).toEqual(['edit', 'send', 'review', 'enable', 'done']);
  const shown = (await theTree()).sbaProfiles.map(({ id, values }) => [id, values.headline, values.status]);
  expect(shown).toEqual([
    [offered.from.id, 'Rolls for every day', 'disabled'],
    [offered.to.id, 'Rolls for guests', 'enabled'],
  ]);
  // The service took every request: nothing was asked of it that it refuses on a live campaign.
  expect(await account.workspace.summary()).toMatchObject({ changed: 0, conflicts: 0 });
});
