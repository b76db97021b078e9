import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Locator, Page } from '@playwright/test';
import { hasPostgres, startPostgres } from '../../main/hosts/cli/demo/postgres.ts';
import { TEAM_SCHEMA } from '../../main/team/sql/schema.ts';
import { anOwnService, type OwnService } from './an-own-service.ts';
import { clippedTexts } from './clipped.ts';
import { type DeskPage, deskPage, openSyncPlan, sendButton, syncPage, syncResult } from './desk-page.ts';
import { expect, openPanes, test } from './fixture.ts';
import { handsOn } from './hands.ts';
import { type HostProcess, startBuiltHost } from './host-process.ts';
import { noFaults } from './looks.ts';
import { noNotes, takeEveryLook } from './pictured.ts';
import { aTeamLine, type TeamLine } from './team-line.ts';

const ACCOUNT = 'Northwind';
const KEYWORD = 'insulated water bottle';
const NAMES = ['Ana', 'Ben', 'Carla', 'Pia'] as const;
type Name = (typeof NAMES)[number];

/** How a person works: with the mouse, or with keys and nothing else. */
interface Way {
  push(target: Locator): Promise<void>;
  type(target: Locator, text: string): Promise<void>;
  /** Sets or clears a check box. */
  turn(target: Locator): Promise<void>;
  /** Chooses from a list of the browser's own. */
  choose(target: Locator, label: string): Promise<void>;
  /** Chooses a file behind this button. */
  attach(button: Locator, path: string): Promise<void>;
  /** Opens the keywords of all campaigns. */
  showKeywords(): Promise<void>;
  openCampaign(name: RegExp): Promise<void>;
  command(name: string): Promise<void>;
}

const campaignsOf = (page: Page): Locator => deskPage(page).navigation.getByRole('listitem').getByRole('button');

const byMouse = (page: Page): Way => ({
  push: (target) => target.click(),
  type: (target, text) => target.fill(text),
  turn: (target) => target.click(),
  choose: async (target, label) => {
    await target.selectOption({ label });
  },
  attach: async (button, path) => {
    const choosing = page.waitForEvent('filechooser');
    await button.click();
    await (await choosing).setFiles(path);
  },
  showKeywords: () => deskPage(page).openList('Keywords'),
  openCampaign: (name) => campaignsOf(page).filter({ hasText: name }).first().click(),
  command: (name) => handsOn(page).command(name),
});

function byKeys(page: Page): Way {
  const hands = handsOn(page);
  return {
    push: hands.push,
    type: async (target, text) => {
      await hands.reach(target);
      await page.keyboard.press('Control+a');
      await page.keyboard.type(text);
    },
    turn: async (target) => {
      await hands.reach(target);
      await page.keyboard.press('Space');
    },
    choose: async (target, label) => {
      await hands.reach(target);
      await page.keyboard.press('Home');
      const chosen = () => target.evaluate((element: HTMLSelectElement) => element.selectedOptions[0]?.label);
      for (let stop = 0; stop < 20 && (await chosen()) !== label; stop += 1) await page.keyboard.press('ArrowDown');
      expect(await chosen()).toBe(label);
    },
    attach: async (button, path) => {
      const choosing = page.waitForEvent('filechooser');
      await hands.push(button);
      await (await choosing).setFiles(path);
    },
    showKeywords: async () => {
      await hands.push(deskPage(page).navigation.getByRole('button', { name: /^All campaigns/ }));
      const tab = page.getByRole('tab', { name: /^Keywords/ });
      await hands.reach(page.getByRole('tablist').filter({ has: tab }).getByRole('tab', { selected: true }));
      for (let stop = 0; stop < 8 && (await tab.getAttribute('aria-selected')) !== 'true'; stop += 1)
        await page.keyboard.press('ArrowRight');
    },
    // The campaigns are one stop of Tab; the arrow keys go from one to the next.
    openCampaign: async (name) => {
      const campaigns = campaignsOf(page);
      const campaign = campaigns.filter({ hasText: name }).first();
      await hands.reach(campaigns.and(page.locator('[tabindex="0"]')));
      await page.keyboard.press('Home');
      const isReached = () => campaign.evaluate((element) => element === document.activeElement);
      for (let stop = 0; stop < 20 && !(await isReached()); stop += 1) await page.keyboard.press('ArrowDown');
      await expect(campaign).toBeFocused();
      await page.keyboard.press('Enter');
    },
    command: hands.command,
  };
}

/** One person at a window of their own, on a data folder of their own. */
interface Person {
  readonly name: Name;
  readonly page: Page;
  readonly desk: DeskPage;
  readonly way: Way;
  readonly host: HostProcess;
}

for (const [how, wayOf] of [
  ['by mouse', byMouse],
  ['with the keyboard alone', byKeys],
] as const) {
  test(
    `${how}: four people edit one account, one signs off, and one takes over a sync`,
    {
      tag: ['@sync', '@everyone', '@long'],
    },
    async ({ browser }, info) => {
      info.skip(!hasPostgres, 'PostgreSQL for this platform is not among the packages');
      test.setTimeout(900_000);
      const folder = info.outputPath('team');
      mkdirSync(folder, { recursive: true });
      const folderOf = (name: Name): string => join(folder, name.toLowerCase());
      for (const name of NAMES) {
        mkdirSync(folderOf(name));
        openPanes(folderOf(name));
      }
      const database = await startPostgres([]);
      const line = await aTeamLine(database.port);
      const service = await anOwnService(folderOf('Ana'), folder, ACCOUNT, 'sample');
      service.cli('refresh');
      const people = new Map<Name, Person>();
      try {
        const admin = await database.connect();
        await admin.query(`BEGIN; ${TEAM_SCHEMA}; COMMIT`);
        for (const name of NAMES) {
          const host = await startBuiltHost(['--data', folderOf(name)]);
          const page = await (await browser.newContext({ acceptDownloads: true })).newPage();
          await page.goto(host.url);
          people.set(name, { name, page, host, desk: deskPage(page), way: wayOf(page) });
        }
        await story({ people, line, service, password: database.password, folder, isLookedOver: how === 'by mouse' });
      } finally {
        for (const { host } of people.values()) await host.stop('SIGKILL');
        await service.close();
        line.close();
        await database.stop();
      }
    },
  );
}

interface Story {
  readonly people: ReadonlyMap<Name, Person>;
  readonly line: TeamLine;
  readonly service: OwnService;
  readonly password: string;
  readonly folder: string;
  readonly isLookedOver: boolean;
}

async function story({ people, line, service, password, folder, isLookedOver }: Story): Promise<void> {
  const person = (name: Name): Person => {
    const found = people.get(name);
    if (found === undefined) throw new Error(`${name} is not here`);
    return found;
  };
  const [ana, ben, carla, pia] = [person('Ana'), person('Ben'), person('Carla'), person('Pia')];
  /** @param picture the name of a picture of the guide */
  const look: Look = async (page, what, picture, drawsPanel) => {
    if (!isLookedOver) return;
    await noFaults(page, what);
    expect.soft(await clippedTexts(page), what).toEqual([]);
    if (picture !== undefined) await takeEveryLook(page, picture, drawsPanel);
  };

  await test.step('Ana creates a team', async () => {
    const { page, way } = ana;
    await expect(ana.desk.navigation.getByRole('button', { name: /^All campaigns/ })).toBeVisible();
    await way.command('team');
    await way.type(page.getByLabel('Your name'), 'Ana');
    await way.type(page.getByLabel('Name of this computer'), 'Studio');
    await way.type(page.getByLabel('Database host'), `127.0.0.1:${line.port}`);
    await way.type(page.getByLabel('Database', { exact: true }), 'postgres');
    await way.type(page.getByLabel('Login'), 'admin');
    await way.type(page.getByLabel('Password', { exact: true }), password);
    await way.push(page.getByRole('button', { name: 'Test connection' }));
    await expect(page.getByText(/^Connected to PostgreSQL/)).toBeVisible();
    await look(page, 'Team settings without a team', 'team-create');
    await way.push(page.getByRole('button', { name: 'Create team' }));
    await expect(page.getByRole('heading', { name: 'Members' })).toBeVisible();
    await expect(page.getByRole('contentinfo')).toContainText('Shared');
  });

  for (const [who, more] of [
    [ben, ['can sync']],
    [carla, ['can sign off']],
    [pia, ['can sync']],
  ] as const) {
    await test.step(`${who.name} joins`, async () => {
      const { page, way } = ana;
      await way.type(page.getByLabel('Name', { exact: true }), who.name);
      for (const role of more) await way.turn(page.getByLabel(`${who.name} ${role}`, { exact: true }));
      const download = page.waitForEvent('download');
      await way.push(page.getByRole('button', { name: 'Make invitation' }));
      const file = join(folder, `${who.name}.adslate-invite`);
      await (await download).saveAs(file);
      await expect(page.getByRole('status').getByRole('listitem')).toHaveCount(6);
      const words = (await page.getByRole('status').getByRole('listitem').allTextContents()).join(' ');
      // The roles of the next start anew.
      for (const role of more) await way.turn(page.getByLabel(`can ${role.slice(4)}`, { exact: true }).last());
      expect(readFileSync(file, 'utf8')).not.toContain(password);
      await join_(who, file, words, look);
    });
  }

  await test.step('each change needs a sign-off', async () => {
    const { page, way } = ana;
    await way.choose(page.getByLabel('Sign-offs that each change needs'), '1 colleague');
    await expect(page.getByText('Can sign off: Ana, Carla. Can sync: Ana, Ben, Pia.')).toBeVisible();
    await page.getByRole('heading', { level: 1, name: 'Team' }).scrollIntoViewIfNeeded();
    await look(page, 'Team settings', 'team');
  });

  await test.step('Ana withdraws an invitation, and checks the database', async () => {
    const { page, way } = ana;
    await way.type(page.getByLabel('Name', { exact: true }), 'Dora');
    const download = page.waitForEvent('download');
    await way.push(page.getByRole('button', { name: 'Make invitation' }));
    await download;
    await way.push(page.getByRole('button', { name: 'Withdraw the invitation of Dora…' }));
    await way.push(page.getByRole('dialog').getByRole('button', { name: 'Withdraw invitation' }));
    await expect(page.getByRole('row', { name: /^Dora no access/ })).toBeVisible();
    await way.push(page.getByRole('button', { name: 'Check shared edits' }));
    await expect(page.getByText(/checked\. All are as they were shared\.$/)).toBeVisible();
    await expect(page.getByRole('row', { name: /Ana removed Dora$/ })).toBeVisible();
    await noNotes(page);
    await page.getByRole('heading', { name: 'Database', exact: true }).evaluate((element) => element.scrollIntoView());
    await look(page, 'Upkeep of a team', 'team-upkeep');
    await page.keyboard.press('Escape');
  });
  for (const who of [ben, pia]) await connect(who, service);

  await test.step('Ana edits offline, and Ben edits the same bid', async () => {
    for (const { way, page } of [ana, ben]) {
      await way.showKeywords();
      await expect(page.getByRole('heading', { level: 1, name: 'Keywords' })).toBeVisible();
    }
    line.cut('adslate_ana');
    await expect(ana.page.getByRole('contentinfo')).toContainText('Team offline since');
    await editBid(ana, '2.10');
    await expect(ana.page.getByRole('contentinfo')).toContainText('1 not shared yet');
    await editBid(ben, '1.90');
    await expect(ben.page.getByRole('contentinfo')).toContainText('Shared');
    line.mend();
  });

  await test.step('Ana keeps her value', async () => {
    const { page, way } = ana;
    await way.command('sync tab');
    const keep = page.getByRole('button', { name: 'Keep my value: $2.10' });
    await expect(keep).toBeVisible();
    await expect(page.getByRole('button', { name: "Use Ben's value: $1.90" })).toBeVisible();
    await expect(page.getByText('with Ben')).toBeVisible();
    await look(page, 'A conflict with a colleague', 'team-conflict', true);
    await way.push(keep);
    await expect(page.getByRole('contentinfo')).toContainText('Shared');
    await expect(ben.desk.grid).toContainText('$2.10');
  });

  await test.step("Ben's undo leaves the newer value of Ana", async () => {
    await ben.way.command('undo');
    await expect(ben.page.getByText('Ana changed 1 of 1 cell since. Those values stay.')).toBeVisible();
    await expect(ben.desk.grid).toContainText('$2.10');
  });

  await test.step('Ana asks for a sign-off', async () => {
    const { page, way } = ana;
    await page.keyboard.press('Control+Enter');
    await way.push(syncPage(page).getByRole('button', { name: 'Ask for sign-off…: Needs sign-off' }));
    const dialog = page.getByRole('dialog', { name: 'Ask for sign-off' });
    await way.type(dialog.getByLabel('Title for your colleagues'), 'Autumn bids');
    await way.push(dialog.getByRole('button', { name: 'Ask for sign-off' }));
    await expect(dialog).toBeHidden();
  });

  await test.step('the plan leads Ana to her change request', async () => {
    const { page, way } = ana;
    await way.push(syncPage(page).getByRole('button', { name: 'Show change request: Needs sign-off' }));
    await expect(page.getByRole('option', { name: /Autumn bids/, selected: true })).toBeVisible();
  });

  await test.step('Carla signs off', async () => {
    const { page, way } = carla;
    await way.command('inbox');
    await expect(page.getByRole('option', { name: /Autumn bids/ })).toBeVisible();
    await look(page, 'A change request in the inbox', 'team-request');
    await way.push(page.getByRole('button', { name: 'Show old and new values' }));
    await expect(syncPage(page)).toContainText('$2.10');
    await look(page, 'The plan of a change request', 'team-sign-off');
    await way.push(syncPage(page).getByRole('button', { name: 'Sign off' }));
    await expect(syncPage(page)).toContainText('Carla signed off');
  });

  await test.step("Pia's computer dies in mid-sync", async () => {
    const { page, way, host } = pia;
    await openSyncPlan(page);
    await expect(sendButton(page)).toBeEnabled();
    // The service answers the change later than anybody waits.
    await service.order('faults', { match: { method: 'PUT' }, times: 1, kind: 'delay', delayMs: 600_000 });
    await way.push(sendButton(page));
    await expect(ben.page.getByRole('contentinfo')).toContainText('Pia is syncing');
    await expect.poll(() => service.faults()).toBe(0);
    await host.stop('SIGKILL');
  });

  await test.step('Ben takes over', async () => {
    const { page, way } = ben;
    await openSyncPlan(page);
    const takeOver = page.getByRole('button', { name: 'Take over sync' });
    await expect(takeOver).toBeVisible({ timeout: 120_000 });
    await look(page, 'A sync to take over', 'team-take-over');
    await way.push(takeOver);
    await expect(takeOver).toBeHidden();
    // What Pia sent is read, not sent again: it may arrive late, so this takes a while.
    await way.push(sendButton(page));
    const done = page.getByRole('button', { name: 'Done', exact: true });
    await expect(done).toBeVisible({ timeout: 300_000 });
    await way.push(done);
    await page.keyboard.press('Control+Enter');
    await expect(syncPage(page)).toContainText('Everything is synced.');
  });

  await test.step('the history names who did what', async () => {
    const { page, way } = ben;
    await page.keyboard.press('Escape');
    await way.showKeywords();
    await way.command('history');
    await way.choose(page.getByLabel('Edits of'), 'Ana');
    await expect(ben.desk.drawer).toContainText('Ana');
    await expect(syncResult(page)).toBeHidden();
    await look(page, 'Edits of one member', 'team-history', true);
  });

  await test.step('Ana sees where Ben is', async () => {
    await ben.way.openCampaign(/Water bottles manual/);
    await ana.way.showKeywords();
    await goToBid(ana);
    await expect(ana.desk.inspector).toContainText('Changed by Ana (Studio)');
    await expect(ana.page.getByRole('img', { name: 'Here now: Ben' })).toBeVisible();
    await look(ana.page, 'Colleagues at campaigns', 'team-presence');
  });

  await test.step('Ana retires the computer that died, and closes the team', async () => {
    const { page, way } = ana;
    await way.command('team');
    await way.push(page.getByRole('button', { name: "Retire Pia's laptop of Pia…" }));
    await way.push(page.getByRole('dialog').getByRole('button', { name: 'Retire computer' }));
    await expect(page.getByRole('row', { name: /^Pia's laptop no access/ })).toBeVisible();
    await way.push(page.getByRole('button', { name: 'Close team…' }));
    await way.push(page.getByRole('dialog').getByRole('button', { name: 'Close team' }));
    await expect(ben.page.getByRole('contentinfo')).toContainText('Team is closed');
    await way.push(page.getByRole('button', { name: 'Open team again' }));
    await expect(ben.page.getByRole('contentinfo')).toContainText('Shared');
  });
}

/** The first file that is not chosen yet. */
const unchosen = (dialog: Locator): Locator => dialog.getByRole('button').filter({ hasText: 'Choose a file…' }).first();

type Look = (page: Page, what: string, picture?: string, drawsPanel?: boolean) => Promise<void>;

async function join_(who: Person, file: string, words: string, look: Look) {
  const { page, way } = who;
  await way.push(page.getByRole('button', { name: /^Join a team/ }));
  const dialog = page.getByRole('dialog', { name: 'Join a team' });
  await way.attach(unchosen(dialog), file);
  await way.type(dialog.getByLabel('Six words'), words);
  await way.type(dialog.getByLabel('Account name on this computer'), ACCOUNT);
  await way.type(dialog.getByLabel('Name of this computer'), `${who.name}'s laptop`);
  await look(page, 'Joining a team', who.name === 'Ben' ? 'team-join' : undefined);
  await way.push(dialog.getByRole('button', { name: 'Join team' }));
  await expect(dialog).toBeHidden();
  await expect(who.desk.navigation.getByRole('button', { name: /^All campaigns/ })).toBeVisible();
}

/** Everybody who syncs has a key and a token of their own. */
async function connect({ page, way }: Person, service: OwnService): Promise<void> {
  await way.command('connect account');
  const dialog = page.getByRole('dialog', { name: 'Connect account' });
  for (const [label, value] of Object.entries(service.form)) await way.type(dialog.getByLabel(label), value);
  await way.attach(unchosen(dialog), service.place('key.pem'));
  await way.attach(unchosen(dialog), service.place('token.txt'));
  await way.push(dialog.getByRole('button', { name: 'Connect', exact: true }));
  await expect(dialog).toBeHidden();
}

/** A keyword of a campaign that is live, so that nothing waits for a review. */
async function editBid(who: Person, bid: string): Promise<void> {
  await goToBid(who);
  await who.page.keyboard.type(bid);
  await who.page.keyboard.press('Enter');
  await expect(who.desk.grid).toContainText(`$${bid}`);
}

async function goToBid({ page, desk }: Person): Promise<void> {
  // A press of the mouse in the middle would fall on a cell that leads elsewhere.
  await handsOn(page).reach(desk.grid);
  await page.keyboard.press('Control+Home');
  const column = await desk.grid.getByRole('columnheader', { name: 'Bid', exact: true }).getAttribute('aria-colindex');
  const active = desk.activeCell();
  const row = active.locator('xpath=ancestor::*[@role="row"]');
  for (let stop = 0; stop < 60 && !(await row.innerText()).includes(KEYWORD); stop += 1)
    await page.keyboard.press('ArrowDown');
  for (let stop = 0; stop < 40 && (await active.getAttribute('aria-colindex')) !== column; stop += 1)
    await page.keyboard.press('ArrowRight');
}
