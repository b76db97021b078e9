/**
 * Why a file that was dropped, picked or named in a sheet cannot be used. It carries facts; `fileRefusalText`
 * writes the sentence, which names the file, the rule and the next step.
 */
const FILE_REASONS = [
  'empty',
  'not-media',
  'not-a-sheet',
  'truncated',
  'damaged-video',
  'no-picture-track',
  'no-length',
  'damaged-image',
  'image-cut-short',
  'image-trailing-data',
  'caption-not-text',
  'caption-no-cues',
  'caption-too-large',
  'caption-too-many-cues',
  'cannot-read',
  'not-a-file',
  'changed',
  'no-space',
  'too-large',
  'workbook-too-large',
  'damaged-workbook',
  'no-sheets',
  'empty-workbook',
  'empty-sheet',
  'unknown-sheet',
  'one-table',
  'too-many-rows',
  'too-many-columns',
  'cell-too-long',
  'not-text',
  'no-headers',
  'needs-decimals',
  'rows-missed',
  'key-file',
  'altered',
  'damaged-archive',
  'newer-archive',
  'no-plan',
  'older-plan',
  'newer-plan',
  'damaged-plan',
  'other-accounts-plan',
] as const;

export type FileReason = (typeof FILE_REASONS)[number];

export interface FileRefusal {
  readonly reason: FileReason;
  readonly params: Readonly<Record<string, string | number>>;
}

export const fileRefusal = (reason: FileReason, params: FileRefusal['params'] = {}): FileRefusal => ({
  reason,
  params,
});

const ACCEPTED = 'Adslate takes videos (.mp4, .mov), captions (.srt, .vtt) and PNG logos.';

const NEW_PLAN =
  'Save the plan again: "Save the plan" in the plan of a sync, or "adslate sync --dry-run > FILE" on the command line.';

const TEXTS: Readonly<Record<FileReason, string>> = {
  empty: '{file} is empty (0 bytes). Save or copy it again, then add it.',
  'not-media': `{file} is {found}, whatever its name says. ${ACCEPTED} Export the file in one of these formats, then add it again.`,
  'not-a-sheet':
    '{file} is {found}, not a sheet in CSV, TSV or XLSX form. Save it as CSV (UTF-8), then import it again.',
  truncated:
    '{file} ends {missing} bytes too early: part of the video is missing. Copy or export it again, then add it.',
  'damaged-video':
    '{file} cannot be read as a video ({what}). Export it again as MP4 with H.264 or H.265, then add it.',
  'no-picture-track': '{file} has no picture track. Export the video with picture, then add it again.',
  'no-length': '{file} does not say how long it is. Export it again as MP4, then add it.',
  'damaged-image': '{file} is a damaged PNG ({what}). Export the logo again as PNG, then add it.',
  'image-cut-short': '{file} is a PNG that ends too early. Copy or export it again, then add it.',
  'image-trailing-data':
    '{file} is a PNG with {bytes} further bytes after its end. Export the logo again as a plain PNG, then add it.',
  'caption-not-text':
    '{file} is not readable text (byte {at} is not UTF-8). Save the captions as UTF-8, then add them again.',
  'caption-no-cues': '{file} holds no captions with times. Export it as SRT or WebVTT, then add it again.',
  'caption-too-large': '{file} has {bytes} bytes; captions may have {limit}. Export shorter captions, then add them.',
  'caption-too-many-cues': '{file} has more than {limit} captions. Export shorter captions, then add them.',
  'cannot-read': '{file} cannot be read ({code}). Check that it is there and that you may open it, then try again.',
  'not-a-file': '{file} is not a file. Choose the file itself, not a folder or a device.',
  changed: '{file} changed after it was chosen. Choose it again.',
  'no-space': 'There is no room on the disk to copy {file}. Free some space, then add it again.',
  'too-large': '{file} has {bytes} bytes; the limit is {limit}. Split it, then import the parts.',
  'workbook-too-large':
    '{file} unpacks to far more than a sheet of its size holds ({what}). Copy its rows into a new workbook, or save it as CSV (UTF-8), then import that.',
  'damaged-workbook':
    '{file} is a damaged workbook ({what}). Open it in a spreadsheet program, which may repair it, save it, then import it again.',
  'no-sheets':
    '{file} is a workbook with {what}. Put the rows into a sheet of it, the first row naming the columns, then import it again.',
  'empty-workbook':
    '{file} is a workbook in whose sheets nothing stands. Fill in rows, the first one naming the columns, save it, then import it again.',
  'empty-sheet':
    'Nothing stands in the sheet "{sheet}" of {file}. Choose another sheet, or fill in rows, save it, then import it again.',
  'unknown-sheet': '{file} has no sheet named "{sheet}". Its sheets are {sheets}. Choose one of these.',
  'one-table':
    '{file} is no workbook: it holds one table, and no sheets to choose from. Import it without naming a sheet.',
  'too-many-rows': '{file} has more than {limit} rows. Split it, then import the parts.',
  'too-many-columns': '{file} has {columns} columns; the limit is {limit}. Remove the columns that are not needed.',
  'cell-too-long': '{file}, line {line}: a cell is longer than {limit} characters. Shorten it, then import again.',
  'not-text':
    '{file} is not readable as UTF-8 or UTF-16 text (line {line}). Save it as "CSV UTF-8", then import it again.',
  'no-headers':
    '{file} has no row of column names that Adslate knows. The first row names the columns, such as Type, Campaign, Bid.',
  'needs-decimals':
    '{file}, line {line}, {column}: "{text}" may be read in two ways. Write amounts with a decimal point and no thousands mark (1.65), then import again.',
  'rows-missed':
    '{file} has {rows} rows, and {found} were found when it was read. Nothing was imported. Save it as CSV (UTF-8) in a spreadsheet program, then import that file.',
  'key-file': '{file} is not a key or token that Adslate can use here.',
  altered: '{file} was altered since it was signed. Ask the sender for the file anew.',
  'damaged-archive':
    '{file} is {found}. Copy it again, or export it again in Adslate and do not pack it anew; if somebody sent it, ask for it anew.',
  'newer-archive':
    '{file} is {found}. Update Adslate, or ask the sender to export it with the version that is used here.',
  'no-plan': `{file} holds no plan. ${NEW_PLAN}`,
  'older-plan': `{file} holds a plan in the form of an earlier version, which does not say what was wished. ${NEW_PLAN}`,
  'newer-plan':
    '{file} holds a plan in the form of a newer version. Update Adslate, or save the plan again with this version.',
  'damaged-plan': `{file} was changed or cut off after it was written (line {line}). ${NEW_PLAN}`,
  'other-accounts-plan':
    '{file} is a plan of the account "{account}" (advertiser {advertiser}), and this is "{here}" (advertiser {advertiserHere}). Open that account, or save a plan of this one.',
};

/** The sentence for a refusal. Placeholders without a fact stay as they are, so that a gap is seen. */
export function fileRefusalText(fileName: string, reason: string, params: FileRefusal['params']): string {
  const known = FILE_REASONS.find((name) => name === reason);
  if (known === undefined) return `${fileName} cannot be used (${reason}). Choose another file.`;
  const facts: Readonly<Record<string, string | number>> = { ...params, file: fileName };
  return TEXTS[known].replace(/\{(\w+)\}/g, (whole, name: string) =>
    Object.hasOwn(facts, name) ? String(facts[name]) : whole,
  );
}
