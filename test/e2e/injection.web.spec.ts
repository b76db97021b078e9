import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { deskPage } from './desk-page.ts';
import { expect, test } from './fixture.ts';
import { startHostProcess } from './host-process.ts';
import { SCRIPT_STRINGS } from './script-strings.ts';

/** Names, keywords, headlines, comments and file names as somebody who wants to get in would choose them. */
const out = process.env['OUT'] ?? join(import.meta.dirname, '..', '..', 'out');

const quoted = (text: string): string => `"${text.replaceAll('"', '""')}"`;
const HEADER =
  'Type,Campaign,Campaign type,Targeting,Total budget,Daily budget,Start,End,Keyword,Match type,Bid,Brand,Headline,Click URL,Media name,Comment';

/** Each text as the name of a campaign, as its keyword, and in the texts of a brand profile and a video profile. */
function hostileSheet(): string {
  const rows = SCRIPT_STRINGS.flatMap((text, at) => {
    const name = quoted(`${String(at).padStart(2, '0')} ${text}`);
    const type = at % 2 === 0 ? 'sba' : 'video';
    return [
      `campaign,${name},${type},manual,500,50,2030-01-01,2030-02-01,,,,,,,,${quoted(text)}`,
      `keyword,${name},,,,,,,${quoted(text)},exact,2,,,,,`,
      type === 'sba'
        ? `sba profile,${name},,,,,,,,,,${quoted(text)},${quoted(text)},${quoted(text)},,`
        : `video profile,${name},,,,,,,,,,,${quoted(text)},,${quoted(text)},`,
    ];
  });
  return [HEADER, ...rows, ''].join('\n');
}

function adslate(dataDir: string, ...words: readonly string[]): void {
  const run = spawnSync(process.execPath, [join(out, 'main/cli.js'), ...words, '--data', dataDir], {
    encoding: 'utf8',
  });
  // 1 says that the sheet has findings, which it has.
  if (run.status !== 0 && run.status !== 1) throw new Error(`${words[0]}: ${run.stdout}${run.stderr}`);
}

/** Looks at a list to its end: rows are only there while they are on screen. */
async function lookThrough(page: Page, name: string): Promise<void> {
  const desk = deskPage(page);
  await desk.openList(name);
  await desk.grid.focus();
  for (const key of ['Control+Home', ...Array.from({ length: 6 }, () => 'PageDown'), 'Control+End']) {
    await page.keyboard.press(key);
  }
}

test('60 texts that would be scripts are texts in every view: nothing runs and nothing is asked for', async ({
  dataDir,
  context,
}) => {
  test.setTimeout(180_000);
  const sheets = mkdtempSync(join(tmpdir(), 'adslate-hostile-'));
  const sheet = join(sheets, 'hostile.csv');
  writeFileSync(sheet, hostileSheet());
  adslate(dataDir, 'account', 'add', '--practice', '--name', '<img src=x onerror=window.ran=1>');
  adslate(dataDir, 'import', sheet);
  const host = await startHostProcess(join(out, 'main/web.js'), ['--data', dataDir, '--no-open']);
  const page = await context.newPage();
  const asked: string[] = [];
  const complaints: string[] = [];
  page.on('request', (request) => {
    if (!request.url().startsWith(host.origin) && !/^(data|blob):/.test(request.url())) asked.push(request.url());
  });
  page.on('dialog', (dialog) => {
    complaints.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on('console', (message) => {
    if (/Content Security Policy|Trusted ?Types?|TrustedHTML/i.test(message.text())) complaints.push(message.text());
  });
  page.on('popup', (popup) => complaints.push(`popup: ${popup.url()}`));
  try {
    await page.goto(host.url);
    const desk = deskPage(page);
    await desk.ready();
    expect(SCRIPT_STRINGS).toHaveLength(60);
    await expect(desk.grid.getByText('00 <script>window.ran=1</script>')).toBeVisible();
    for (const list of ['Campaigns', 'Keywords']) await lookThrough(page, list);
    await desk.openList('Media');
    for (const campaign of ['00 <script', '12 <img', '13 <img', '01 <SCRIPT']) {
      await desk.openList('Campaigns');
      await desk.openCampaign(campaign);
      await expect(desk.inspector).toBeVisible();
      await page.keyboard.press('ArrowDown');
    }
    for (const tab of ['Findings', 'Changes', 'Sync', 'History']) {
      await page.getByRole('tab', { name: new RegExp(`^${tab}`) }).click();
      await expect(page.getByRole('tabpanel')).toBeVisible();
      await page.mouse.wheel(0, 2000);
    }
    await page.keyboard.press('Control+k');
    await page.keyboard.type('<img');
    await expect(page.getByRole('dialog', { name: 'Commands' })).toBeVisible();
    await page.keyboard.press('Escape');
    await page.keyboard.press('Control+Enter');
    await expect(page.getByRole('dialog', { name: 'Sync' })).toBeVisible();
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: /Switch account/ }).click();
    await expect(page.getByRole('menu')).toContainText('<img src=x');
    await page.keyboard.press('Escape');
    const named = join(sheets, "<img src=x onerror='window.ran=1'>.csv");
    writeFileSync(named, hostileSheet());
    await desk.drop([named, sheet]);
    await expect(page.getByRole('dialog')).toContainText("<img src=x onerror='window.ran=1'>");
    expect(await page.evaluate(() => Reflect.get(window, 'ran'))).toBeUndefined();
    expect(await page.locator('script:not([src]), iframe, object, embed, base, form[action*="away"]').count()).toBe(0);
    expect(asked).toEqual([]);
    expect(complaints).toEqual([]);
  } finally {
    await page.close();
    await host.stop();
    rmSync(sheets, { recursive: true, force: true });
  }
});
