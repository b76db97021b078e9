import { createHash, randomUUID } from 'node:crypto';
import { open, readFile, stat } from 'node:fs/promises';
import { z } from 'zod';
import type { Comment } from '../../shared/api/notes.ts';
import { StoryboardReturn } from '../../shared/api/storyboard.ts';
import { jsonOrNull } from '../../shared/json-or-null.ts';
import { STATUS_NAMES } from '../../shared/lifecycle/states.ts';
import { parseCaptions } from '../../shared/media/captions.ts';
import { fileError, fileRefusal } from '../../shared/media/file-refusal.ts';
import type { CampaignTree } from '../../shared/model/campaign-tree.ts';
import { formatCell } from '../../shared/model/cell-text.ts';
import type { CreativeChange } from '../../shared/model/creative.ts';
import { fieldLabel, fieldSpec } from '../../shared/model/fields.ts';
import { dateInZone } from '../../shared/model/plain-date.ts';
import { isDeleted, type Row } from '../../shared/model/row.ts';
import type { RowId } from '../../shared/model/scalars.ts';
import { err, fail, ok, type Result } from '../../shared/result.ts';
import { rowLabel } from '../../shared/rules/rule.ts';
import {
  STORYBOARD_SCRIPT,
  STORYBOARD_STYLE,
  type StoryboardCampaign,
  type StoryboardCreative,
  storyboardPage,
} from '../../shared/storyboard/page.ts';
import { errorCode } from '../app/system.ts';
import type { ActiveAccount } from '../core/active-account.ts';
import { contentTypeOf } from '../files/media/library.ts';
import { encodingOf } from '../files/probe/detect-file-type.ts';
import { createPersistedList } from '../store/account-settings.ts';
import { resolveGrant } from './failures.ts';
import { posterPicture } from './files.ts';
import type { MainOperations, RouterContext } from './router.ts';

/** A larger video is replaced by its poster, and so is every video that exceeds the bytes left on the page. */
const VIDEO_BYTES_MAX = 12 * 1024 * 1024;
const PAGE_BYTES_MAX = 120 * 1024 * 1024;
const RETURN_BYTES_MAX = 2 * 1024 * 1024;

/** Maximum number of storyboards whose comments can be imported; the oldest is dropped first. */
const KEPT = 50;
const KEPT_KEY = 'storyboards';
const Kept = z.array(z.strictObject({ id: z.string(), at: z.int(), campaigns: z.array(z.int()) }));

/** Exports campaigns as a page for a client, and imports the client's comments. */
export const storyboardOperations = (parts: RouterContext): Pick<MainOperations, 'storyboard'> => ({
  storyboard: {
    export: async ({ account }, { workspaceId, campaignIds, money }) => {
      const trees = await account.workspace.readTrees(campaignIds);
      const [first] = campaignIds;
      if (trees.length === 0) return fail('NO_ROW', { kind: 'campaign', id: first ?? 0 });
      const nowMs = parts.options.clock.nowMs();
      const id = randomUUID();
      const day = dateInZone(nowMs, account.profile.business.zone);
      const name = (await parts.accounts.list()).find((one) => one.workspaceId === workspaceId)?.name ?? '';
      const campaigns: StoryboardCampaign[] = [];
      const room = { bytes: PAGE_BYTES_MAX };
      for (const tree of trees) campaigns.push(await campaignOf(account, tree, money, room));
      const board = { id, at: nowMs, campaigns: trees.map(({ campaign }) => Number(campaign.id)) };
      const written = await parts.exports.write(
        // Not an HTML content type, so that it is never shown as a page of our origin; it is only saved.
        { contentType: 'application/x-adslate-page', fileName: `storyboard-${day}.html`, workspaceId },
        async (path): Promise<Result<number, never>> => {
          const file = await open(path, 'w', 0o600);
          try {
            const page = storyboardPage({ id, account: name, day: dayText(day), campaigns }, HASHES);
            for (const part of page) await file.appendFile(part);
          } finally {
            await file.close();
          }
          return ok(campaigns.length);
        },
      );
      if (written.ok) await boardsOf(account).change((kept) => [...kept, board].slice(-KEPT));
      return written;
    },
    import: async ({ account }, { grant }) => {
      const file = await resolveGrant(parts.grants, grant);
      if (!file.ok) return file;
      const { fileName, path, bytes } = file.value;
      const refused = (found: string) => fileError(fileName, fileRefusal('not-comments', { found }));
      if (bytes > RETURN_BYTES_MAX) return refused('larger than 2 MB');
      const parsed = StoryboardReturn.safeParse(jsonOrNull(await readFile(path, 'utf8')));
      if (!parsed.success) return refused('not a file of comments');
      const { storyboard, name, entries } = parsed.data;
      const board = (await boardsOf(account).read()).find(({ id }) => id === storyboard);
      if (board === undefined) return refused('about another storyboard');
      const wanted = entries.filter(({ text, verdict }) => text !== '' || verdict !== null);
      if (wanted.some(({ ref, field }) => field !== null && fieldSpec(ref.kind, field) === undefined)) {
        return refused('about unknown fields');
      }
      const known = new Set((await account.workspace.comments(null, null)).map(commentKey));
      const counts = { comments: 0, approved: 0, rejected: 0, skipped: 0 };
      const nowMs = parts.options.clock.nowMs();
      for (const { ref, field, text, verdict, at: said } of wanted) {
        const row = await account.workspace.readRow(ref);
        // Comments on rows that were not in the storyboard are skipped.
        if (row === null || row.campaignId === null || !board.campaigns.includes(row.campaignId)) {
          counts.skipped++;
          continue;
        }
        const words = [verdict === null ? '' : VERDICT_WORDS[verdict], text].filter((part) => part !== '').join(': ');
        // The client's time counts if it is between the export and now.
        const at = Math.min(nowMs, Math.max(board.at, said));
        const comment = { ref, field, author: name, text: words, at };
        if (known.has(commentKey(comment))) continue;
        const noted = await account.workspace.note({ do: 'comment', ...comment });
        if (!noted.ok) {
          if (noted.error.code === 'NOT_WRITABLE') return err(noted.error);
          counts.skipped++;
          continue;
        }
        known.add(commentKey(comment));
        counts.comments++;
        if (verdict !== null) counts[verdict]++;
      }
      return ok({ name, ...counts });
    },
  },
});

const VERDICT_WORDS = { approved: 'Approved', rejected: 'Rejected' } as const;

const hashOf = (text: string): string => `sha256-${createHash('sha256').update(text).digest('base64')}`;
const HASHES = { style: hashOf(STORYBOARD_STYLE), script: hashOf(STORYBOARD_SCRIPT) };

const commentKey = ({ ref, field, author, text, at }: Omit<Comment, 'id' | 'resolved'>): string =>
  JSON.stringify([ref.kind, ref.id, field, author, text, at]);

const boardsOf = ({ workspace }: ActiveAccount) =>
  createPersistedList(workspace, KEPT_KEY, (text) => Kept.safeParse(jsonOrNull(text ?? '[]')).data ?? []);

async function campaignOf(
  account: ActiveAccount,
  tree: CampaignTree,
  money: boolean,
  room: { bytes: number },
): Promise<StoryboardCampaign> {
  const { campaign, adItems, keywords, sbaProfiles, videoProfiles, media } = tree;
  const { values } = campaign;
  const profiles = [...sbaProfiles, ...videoProfiles].filter((row) => !isDeleted(row));
  const files = new Map(media.map((row) => [row.id, row]));
  const creatives: StoryboardCreative[] = [];
  for (const row of profiles) creatives.push(await creativeOf(account, row, files, room));
  const items: StoryboardCampaign['items'][number][] = [];
  for (const row of adItems) {
    if (isDeleted(row)) continue;
    const { itemId } = row.values;
    const known = itemId === null ? null : await account.pictures.item(itemId);
    const shown = known?.imageUrl ? await account.pictures.show(known.imageUrl) : null;
    items.push({
      row: `adItem/${row.id}`,
      name: row.values.itemName ?? known?.name ?? itemId ?? '',
      picture: shown?.ok ? await dataOf(shown.value, room) : null,
      fact: money ? moneyText('adItem', row.values.bid) : '',
    });
  }
  const budgets = [
    ['Total budget', moneyText('campaign', values.totalBudget)],
    ['Daily budget', moneyText('campaign', values.dailyBudget)],
  ].flatMap(([label, amount]) => (amount === '' ? [] : [`${label} ${amount}`]));
  return {
    row: `campaign/${campaign.id}`,
    name: rowLabel(campaign),
    facts: [
      values.campaignState === null ? '' : (STATUS_NAMES[values.campaignState] ?? values.campaignState),
      values.startDate === null ? '' : `Starts ${dayText(values.startDate)}`,
      values.endDate === null || values.endDate.startsWith('9999') ? '' : `Ends ${dayText(values.endDate)}`,
      ...(money ? budgets : []),
    ].filter((fact) => fact !== ''),
    creatives,
    items,
    keywords: keywords
      .filter((row) => !isDeleted(row))
      .map((row) => ({
        row: `keyword/${row.id}`,
        text: row.values.text ?? '',
        fact: [row.values.matchType ?? '', money ? moneyText('keyword', row.values.bid) : '']
          .filter(Boolean)
          .join(', '),
      })),
  };
}

const dayText = (day: string): string =>
  new Date(`${day}T00:00:00Z`).toLocaleDateString('en-US', { dateStyle: 'medium', timeZone: 'UTC' });

const moneyText = (kind: 'campaign' | 'adItem' | 'keyword', cents: number | null): string =>
  cents === null ? '' : `$${formatCell(kind, kind === 'campaign' ? 'dailyBudget' : 'bid', cents)}`;

type Files = ReadonlyMap<RowId, Row<'media'>>;

async function creativeOf(
  account: ActiveAccount,
  row: Row<'sbaProfile'> | Row<'videoProfile'>,
  files: Files,
  room: { bytes: number },
): Promise<StoryboardCreative> {
  const approved = await account.workspace.approvedChanges({ kind: row.kind, id: row.id });
  const common = {
    row: `${row.kind}/${row.id}`,
    changes: approved === null ? null : approved.map(changeText),
    brand: '',
    headline: '',
    logo: null,
    still: null,
    video: null,
    without: '',
    captions: [],
  };
  if (row.kind === 'sbaProfile') {
    const { brand, headline, clickUrl, logo, logoUrl } = row.values;
    const file = logo === null ? undefined : files.get(logo);
    const here = file === undefined ? null : await libraryData(account, file, room, VIDEO_BYTES_MAX);
    const there = here === null && logoUrl ? await account.pictures.show(logoUrl) : null;
    const fields = (['brand', 'headline', 'clickUrl'] as const).map((field) => {
      return { field, label: fieldLabel(field, 'sbaProfile'), text: row.values[field] ?? '' };
    });
    return {
      ...common,
      shows: 'banner',
      fields,
      brand: brand ?? '',
      headline: headline ?? clickUrl ?? '',
      logo: here ?? (there?.ok ? await dataOf(there.value, room) : null),
    };
  }
  const file = row.values.video === null ? undefined : files.get(row.values.video);
  const video = file === undefined ? null : await libraryData(account, file, room, VIDEO_BYTES_MAX);
  const poster = file?.values.sha256 ? await posterPicture(account, file.values.sha256) : null;
  const caption = file?.values.caption == null ? undefined : files.get(file.values.caption);
  return {
    ...common,
    shows: 'video',
    fields: [{ field: 'video', label: 'Video', text: file === undefined ? 'No video yet' : rowLabel(file) }],
    still: poster === null ? null : await dataOf(poster, room),
    video,
    without:
      video === null && file !== undefined ? 'The video is too large for this page, or only the service has it.' : '',
    captions:
      caption?.values.sha256 == null ? [] : await captionLines(await account.library.find(caption.values.sha256)),
  };
}

const changeText = ({ part, before, after }: CreativeChange): string =>
  part === 'sha256' ? 'another file' : `${fieldLabel(part)} "${before ?? ''}" is now "${after ?? ''}"`;

/** The spoken lines of an SRT or VTT file in the library, without tags. */
async function captionLines(path: string): Promise<readonly string[]> {
  const found = await sizeOf(path);
  if (found === null || found > RETURN_BYTES_MAX) return [];
  const bytes = await readFile(path);
  const { captions } = parseCaptions(new TextDecoder(encodingOf(bytes)).decode(bytes));
  return captions.flatMap(({ text }) => text.replace(/<[^<>]*>/g, '').split('\n'));
}

/** Size in bytes; null for a missing file. */
async function sizeOf(path: string): Promise<number | null> {
  try {
    return (await stat(path)).size;
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return null;
    throw error;
  }
}

async function libraryData({ library }: ActiveAccount, row: Row<'media'>, room: { bytes: number }, max: number) {
  const { sha256 } = row.values;
  if (sha256 === null) return null;
  const path = await library.find(sha256);
  const bytes = await sizeOf(path);
  return bytes === null || bytes > max ? null : dataOf({ path, contentType: contentTypeOf(row) }, room);
}

/** A file as a `data:` URL; null if it exceeds the room left on the page. */
async function dataOf(
  { path, contentType }: { readonly path: string; readonly contentType: string },
  room: { bytes: number },
) {
  const bytes = await sizeOf(path);
  if (bytes === null || bytes > room.bytes) return null;
  room.bytes -= bytes;
  return `data:${contentType};base64,${(await readFile(path)).toString('base64')}`;
}
