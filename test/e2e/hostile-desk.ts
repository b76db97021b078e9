import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { BrowserContext, Page } from '@playwright/test';
import { NODE_FLAGS } from '../../main/hosts/start/node-flags.mjs';
import { type DeskPage, deskPage } from './desk-page.ts';
import { expect, openPanes } from './fixture.ts';
import { adslate, startBuiltHost } from './host-process.ts';
import { SCRIPT_STRINGS } from './script-strings.ts';

/** A desk whose names, keywords, headlines, comments and file names are as somebody who wants to get in would choose them. */
export interface HostileDesk {
  readonly page: Page;
  readonly desk: DeskPage;
  /** Files with such names and such content. */
  readonly files: readonly string[];
  /** Nothing ran, nothing was asked for, and no markup came of any text. */
  verify(): Promise<void>;
  close(): Promise<void>;
}

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
        ? `sba profile,${name},,,,,,,,,,${quoted(text)},${quoted(text)},https://www.example.org/,,`
        : `video profile,${name},,,,,,,,,,,,,${quoted(text)},`,
    ];
  });
  return [HEADER, ...rows, ''].join('\n');
}

export async function openHostileDesk(dataDir: string, context: BrowserContext): Promise<HostileDesk> {
  const folder = mkdtempSync(join(tmpdir(), 'adslate-hostile-'));
  const files = [join(folder, "<img src=x onerror='window.ran=1'>.csv"), join(folder, 'hostile.csv')];
  for (const file of files) writeFileSync(file, hostileSheet());
  adslate(dataDir, 'account', 'add', '--practice', '--name', '<img src=x onerror=window.ran=1>');
  adslate(dataDir, 'import', join(folder, 'hostile.csv'));
  const opened = await openWatched(dataDir, context);
  expect(SCRIPT_STRINGS).toHaveLength(60);
  await expect(opened.desk.grid.getByText('00 <script>window.ran=1</script>')).toBeVisible();
  const close = async (): Promise<void> => {
    await opened.close();
    rmSync(folder, { recursive: true, force: true });
  };
  return { ...opened, files, close };
}

/**
 * Opens what is in a data folder and writes down whatever its page does that a page of ours never does.
 *
 * @param aheadMs how far the clocks of host and window run ahead, for what may only be done after a while
 */
export async function openWatched(
  dataDir: string,
  context: BrowserContext,
  aheadMs = 0,
): Promise<Omit<HostileDesk, 'files'>> {
  const ahead = `data:text/javascript,const now = Date.now; Date.now = () => now() + ${aheadMs};`;
  openPanes(dataDir);
  const words = aheadMs === 0 ? NODE_FLAGS : [...NODE_FLAGS, '--import', ahead];
  const host = await startBuiltHost(['--data', dataDir], words);
  const page = await context.newPage();
  if (aheadMs !== 0) await page.clock.install({ time: Date.now() + aheadMs });
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
  await page.goto(host.url);
  const desk = deskPage(page);
  await desk.ready();
  return {
    page,
    desk,
    verify: async () => {
      expect(await page.evaluate(() => Reflect.get(window, 'ran'))).toBeUndefined();
      expect(await page.locator('script:not([src]), iframe, object, embed, base, form[action*="away"]').count()).toBe(
        0,
      );
      expect(asked).toEqual([]);
      expect(complaints).toEqual([]);
    },
    close: async () => {
      await page.close();
      await host.stop();
    },
  };
}
