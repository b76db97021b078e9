import type { CampaignTree } from '../model/campaign-tree.ts';
import { readMediaFacts } from '../model/media.ts';
import { isDeleted, type Row } from '../model/row.ts';
import type { RowId } from '../model/scalars.ts';
import { normalizedText } from '../model/text.ts';
import { err, ok, type Result } from '../result.ts';
import { fileRefusalText } from './file-refusal.ts';

/**
 * Assigns files of a watched folder to campaigns by their names. A pattern is a file name with placeholders in braces,
 * such as `{campaign}_{creative}.mp4`; one pattern per line, and the first that matches a campaign applies. `{any}`
 * matches ignored text. Names are compared without case, spaces and punctuation, which rarely survive in file names.
 */
export const DEFAULT_PATTERNS = '{campaign}_{creative}.*\n{campaign}.*';
const PATTERNS_MAX = 20;

const TEXTS = {
  'no-pattern': 'Enter at least one pattern, such as {campaign}_{creative}.mp4.',
  'too-many-patterns': 'There are {count} patterns. Enter up to {most}.',
  'unknown-place': 'Pattern "{line}": {place} is unknown. Use {campaign}, {creative} or {any}.',
  'places-touch': 'Pattern "{line}": Two places touch each other. Put a character between them, such as "_".',
  'bad-character': 'Pattern "{line}": Braces and slashes are not allowed in a name.',
  'one-campaign': 'Pattern "{line}": Use {campaign} exactly once.',
  'one-creative': 'Pattern "{line}": Use {creative} at most once.',
  'same-names': 'More than one campaign is named {names}. Use the campaign ID in the file name.',
  'several-campaigns': 'The name fits several campaigns: {names}. Use the campaign ID in the file name.',
  'fits-no-pattern': 'The name fits no pattern. Rename the file, or add a pattern.',
  'no-campaign': 'No campaign is named "{name}". Rename the file, or create the campaign.',
  'video-missing': 'The campaign has no video for these captions yet.',
  'several-videos': 'The campaign has several videos. Name the creative in the file name.',
  'video-sent': 'The video is on the service, where captions can no longer be added.',
  'not-attachable': 'Only videos, captions and logos can be attached.',
  'no-video-campaign': 'Only video campaigns have video profiles. Rename the file.',
  'two-videos': 'The campaign has a video already. Use the name of that video as the creative to replace it.',
  'no-ad-group': 'The campaign has no ad group. Add one first.',
  'no-sba-profile': 'The campaign has no SBA profile that could use a logo.',
  'several-sba-profiles': 'The campaign has several SBA profiles. Use the headline of one of them as the creative.',
  'is-there': '"{name}" has this file already.',
  'as-video': 'Attached to "{name}" as its video.',
  'as-captions': 'Attached to "{name}" as captions.',
  'as-video-profile': 'Attached to "{name}" as a new video profile.',
  'as-logo': 'Attached to "{name}" as the logo of "{profile}".',
  'folder-missing': 'The folder is not there. Create it, or choose another one. Adslate continues when it is there.',
  'folder-no-permission': 'You have no permission to read the folder. Ask for it, or choose another folder.',
  'folder-unreadable': "The folder can't be read: {detail}. Check the disk or the network share. Adslate tries again.",
  'not-writable':
    "Adslate can't write to the account: {detail}. Free up space or open the account again. The files wait.",
  failed: "The files can't be taken now: {detail}. Adslate tries again every minute.",
  'library-only': 'Added to the media library only.',
  /** For the file: `file`, `reason` and the facts of a refusal. */
  refused: '',
  /** A sentence that an earlier version has written down. */
  earlier: '{text}',
} as const;
export type FolderCode = keyof typeof TEXTS;
export const FOLDER_CODES = Object.keys(TEXTS) as [FolderCode, ...FolderCode[]];

/** A message about patterns, names or files: its code, and the facts of its sentence. */
export interface FolderMessage {
  readonly code: FolderCode;
  readonly facts: Readonly<Record<string, string | number>>;
}

/** The sentence. Braces without a fact belong to patterns. */
export function folderText({ code, facts }: FolderMessage): string {
  if (code === 'refused') return fileRefusalText(String(facts['file']), String(facts['reason']), facts);
  return TEXTS[code].replace(/\{(\w+)\}/g, (whole, name: string) =>
    Object.hasOwn(facts, name) ? String(facts[name]) : whole,
  );
}

/** The sentence for a file that was taken: one without a matching campaign is in the media library. */
export function dropText(outcome: string, message: FolderMessage): string {
  const isInLibrary = outcome === 'not-attached' || outcome === 'waiting';
  return isInLibrary && message.code !== 'earlier'
    ? `${TEXTS['library-only']} ${folderText(message)}`
    : folderText(message);
}

const say = (code: FolderCode, facts: FolderMessage['facts'] = {}): FolderMessage => ({ code, facts });

/** One interpretation of a file name. */
export interface NameReading {
  readonly campaign: string;
  readonly creative: string | null;
}

export interface FilePattern {
  readonly text: string;
  readonly parts: readonly Part[];
}
type Part = { readonly is: 'text'; readonly text: string } | { readonly is: Place };
const PLACES = ['campaign', 'creative', 'any'] as const;
type Place = (typeof PLACES)[number];
const TOKEN = /\{([^{}]*)\}|\*/g;

/** The patterns of a text; the error names the line. */
export function parsePatterns(text: string): Result<readonly FilePattern[], FolderMessage> {
  const lines = text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
  if (lines.length === 0) return err(say('no-pattern'));
  if (lines.length > PATTERNS_MAX) return err(say('too-many-patterns', { count: lines.length, most: PATTERNS_MAX }));
  const patterns: FilePattern[] = [];
  for (const line of lines) {
    const pattern = parsePattern(line);
    if (!pattern.ok) return pattern;
    patterns.push(pattern.value);
  }
  return ok(patterns);
}

function parsePattern(line: string): Result<FilePattern, FolderMessage> {
  const parts: Part[] = [];
  let from = 0;
  for (const match of line.matchAll(TOKEN)) {
    if (match.index > from) parts.push({ is: 'text', text: line.slice(from, match.index) });
    const place = match[0] === '*' ? 'any' : PLACES.find((name) => name === match[1]?.trim().toLowerCase());
    if (place === undefined) return err(say('unknown-place', { line, place: match[0] }));
    if (parts.length > 0 && parts.at(-1)?.is !== 'text') return err(say('places-touch', { line }));
    parts.push({ is: place });
    from = match.index + match[0].length;
  }
  if (from < line.length) parts.push({ is: 'text', text: line.slice(from) });
  if (/[{}/\\]/.test(parts.map((part) => (part.is === 'text' ? part.text : '')).join('')))
    return err(say('bad-character', { line }));
  if (parts.filter(({ is }) => is === 'campaign').length !== 1) return err(say('one-campaign', { line }));
  if (parts.filter(({ is }) => is === 'creative').length > 1) return err(say('one-creative', { line }));
  return ok({ text: line, parts });
}

/** More readings than these would be a name of separators alone. */
const READINGS_MAX = 200;

/** All interpretations of a file name by a pattern; a separator may also be part of a campaign's name. */
export function readingsOf(pattern: FilePattern, fileName: string): readonly NameReading[] {
  const name = fileName.normalize('NFC');
  const found: NameReading[] = [];
  const walk = (at: number, from: number, campaign: string, creative: string | null): void => {
    if (found.length >= READINGS_MAX) return;
    const part = pattern.parts[at];
    if (part === undefined) {
      if (from === name.length) found.push({ campaign, creative });
      return;
    }
    if (part.is === 'text') {
      const end = from + part.text.length;
      if (name.slice(from, end).toLowerCase() === part.text.toLowerCase()) walk(at + 1, end, campaign, creative);
      return;
    }
    const next = pattern.parts[at + 1];
    for (const end of endsOf(name, from, next?.is === 'text' ? next.text : null)) {
      const text = name.slice(from, end);
      walk(at + 1, end, part.is === 'campaign' ? text : campaign, part.is === 'creative' ? text : creative);
    }
  };
  walk(0, 0, '', null);
  return found;
}

/** Possible ends of a placeholder, given the text that follows it; no placeholder is empty. */
function endsOf(name: string, from: number, next: string | null): readonly number[] {
  if (next === null) return from < name.length ? [name.length] : [];
  const ends: number[] = [];
  const [folded, wanted] = [name.toLowerCase(), next.toLowerCase()];
  for (let at = folded.indexOf(wanted, from + 1); at >= 0; at = folded.indexOf(wanted, at + 1)) ends.push(at);
  return ends;
}

export interface NamedCampaign {
  readonly id: RowId;
  readonly name: string;
  readonly remoteId: string | null;
}

/** The campaigns of an account by the names and IDs that file names can have for them. */
export type CampaignIndex = ReadonlyMap<string, readonly NamedCampaign[]>;

export function indexCampaigns(campaigns: readonly NamedCampaign[]): CampaignIndex {
  const index = new Map<string, NamedCampaign[]>();
  for (const campaign of campaigns) {
    for (const key of new Set([normalizedText(campaign.name), campaign.remoteId ?? ''])) {
      if (key !== '') index.set(key, [...(index.get(key) ?? []), campaign]);
    }
  }
  return index;
}

export interface MatchedName {
  readonly campaign: NamedCampaign;
  readonly creative: string | null;
}

/** The one campaign that a file name leads to. */
export function matchFileName(
  patterns: readonly FilePattern[],
  fileName: string,
  campaigns: CampaignIndex,
): Result<MatchedName, FolderMessage> {
  const readings = patterns.map((pattern) => readingsOf(pattern, fileName));
  for (const ways of readings) {
    const matches = ways.flatMap(({ campaign, creative }) =>
      (campaigns.get(normalizedText(campaign)) ?? []).map((found) => ({ campaign: found, creative })),
    );
    const [first, other] = matches;
    if (first === undefined) continue;
    if (other === undefined) return ok(first);
    const names = [...new Set(matches.map(({ campaign }) => `"${campaign.name}"`))];
    const code = names.length === 1 ? 'same-names' : 'several-campaigns';
    return err(say(code, { names: names.slice(0, 3).join(', ') }));
  }
  const guess = readings.flat().at(0);
  return err(guess === undefined ? say('fits-no-pattern') : say('no-campaign', { name: guess.campaign }));
}

/** The edits that attach a file, as one step; none when it is attached already. */
export interface Attachment {
  /** The message; the caller fills in the campaign's name. */
  readonly as: FolderMessage;
  readonly updates: readonly { readonly kind: 'sbaProfile' | 'videoProfile' | 'media'; id: RowId; field: string }[];
  /** The ad group that gets a video profile with the file; null when a profile is there. */
  readonly createIn: RowId | null;
}

export type NotAttached = {
  readonly why: FolderMessage;
  /** A later video may change that. */
  readonly waits: boolean;
};

/**
 * The place of a file in its campaign. An existing creative gets the new file; without a creative in the name there
 * must be exactly one place.
 *
 * @param creativeOf the creative in the name of a file
 */
export function planAttachment(
  tree: CampaignTree,
  file: Row<'media'>,
  creative: string | null,
  creativeOf: (fileName: string) => string | null,
): Result<Attachment, NotAttached> {
  const wanted = creative === null ? null : normalizedText(creative);
  const names = (row: Row<'media'> | undefined): readonly string[] =>
    row === undefined
      ? []
      : [row.values.mediaName, row.values.fileName === null ? null : creativeOf(row.values.fileName)].flatMap((name) =>
          name === null ? [] : [normalizedText(name)],
        );
  const mediaOf = (id: number | null) => tree.media.find((row) => row.id === id);
  switch (readMediaFacts(file.values.facts)?.is) {
    case 'video':
      return placeVideo(tree, file, wanted, (id) => names(mediaOf(id)));
    case 'logo':
      return placeLogo(tree, file, wanted);
    case 'caption': {
      const videos = tree.media.filter((row) => row.values.mediaType === 'video');
      const fitting = wanted === null ? videos : videos.filter((row) => names(row).includes(wanted));
      const [video, second] = fitting;
      if (video === undefined) return refuse('video-missing', true);
      if (second !== undefined) return refuse('several-videos');
      if (video.remoteId !== null) return refuse('video-sent');
      const done = video.values.caption === file.id;
      return ok({
        as: say('as-captions'),
        createIn: null,
        updates: done ? [] : [{ kind: 'media', id: video.id, field: 'caption' }],
      });
    }
    default:
      return refuse('not-attachable');
  }
}

function placeVideo(
  tree: CampaignTree,
  file: Row<'media'>,
  wanted: string | null,
  namesOf: (id: number | null) => readonly string[],
): Result<Attachment, NotAttached> {
  const type = tree.campaign.values.campaignType;
  if (type !== 'video') return refuse('no-video-campaign');
  const profiles = tree.videoProfiles.filter((row) => !isDeleted(row));
  const place = (row: Row<'videoProfile'>): Result<Attachment, NotAttached> =>
    ok({
      as: say('as-video'),
      createIn: null,
      updates: row.values.video === file.id ? [] : [{ kind: 'videoProfile', id: row.id, field: 'video' }],
    });
  const same = profiles.find(
    (row) => row.values.video === file.id || (wanted !== null && namesOf(row.values.video).includes(wanted)),
  );
  const free = same ?? profiles.find((row) => row.values.video === null);
  if (free !== undefined) return place(free);
  const [only] = profiles;
  if (only !== undefined && profiles.length === 1 && wanted === null) return place(only);
  // A campaign has one video profile.
  if (only !== undefined) return refuse('two-videos');
  const group = tree.adGroups.find((row) => !isDeleted(row));
  if (group === undefined) return refuse('no-ad-group');
  return ok({ as: say('as-video-profile'), updates: [], createIn: group.id });
}

function placeLogo(tree: CampaignTree, file: Row<'media'>, wanted: string | null): Result<Attachment, NotAttached> {
  const profiles = tree.sbaProfiles.filter((row) => !isDeleted(row));
  const named = profiles.filter(
    ({ values }) =>
      wanted !== null && [values.brand, values.headline].some((text) => normalizedText(text ?? '') === wanted),
  );
  const [place, second] = named.length > 0 ? named : profiles;
  if (place === undefined) return refuse('no-sba-profile');
  if (second !== undefined) return refuse('several-sba-profiles');
  return ok({
    as: say('as-logo', { profile: place.values.headline ?? place.values.brand ?? '' }),
    createIn: null,
    updates: place.values.logo === file.id ? [] : [{ kind: 'sbaProfile', id: place.id, field: 'logo' }],
  });
}

const refuse = (why: FolderCode, waits = false) => err({ why: say(why), waits });
