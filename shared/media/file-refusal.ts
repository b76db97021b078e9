import { fail } from '../result.ts';

const ACCEPTED = 'Adslate accepts videos (.mp4, .mov), captions (.srt, .vtt) and PNG logos.';

const NEW_PLAN =
  'Save the plan again with "Save plan (JSON)" in the sync plan, or with "adslate sync --dry-run > FILE".';

const TEXTS = {
  empty: '{file} is empty (0 bytes). Save or copy it again, then add it.',
  'not-media': `{file} is {found}. ${ACCEPTED} Export the file in one of these formats, then add it again.`,
  'sheet-not-media':
    '{file} is a spreadsheet, not a video, captions or a logo. To add its rows, use "Import…" beside Campaigns, or "adslate import FILE".',
  'not-a-sheet': '{file} is {found}, not a CSV, TSV or XLSX file. Save it as CSV (UTF-8), then import it again.',
  truncated: '{file} is incomplete: {missing} bytes are missing at the end. Copy or export it again, then add it.',
  'damaged-video': "{file} can't be read as a video ({what}). Export it as MP4 with H.264 or H.265, then add it.",
  'no-picture-track': '{file} has no video track. Export it with video, then add it again.',
  'no-length': 'The length of {file} is unknown. Export it as MP4, then add it again.',
  'no-key-frame':
    '{file} has no key frame up to {at} s, so it cannot begin there without a new encoding. Choose a later start, or export it shorter.',
  'no-cut':
    '{file} has no frame that ends between {from} s and {to} s. Choose another start or end, or export it shorter.',
  'codec-not-copied':
    '{file} uses the codec {codec}, which cannot be cut without a new encoding. Export it with H.264 or H.265, then add it.',
  'damaged-image': '{file} is a damaged PNG ({what}). Export the logo again as PNG, then add it.',
  'image-cut-short': '{file} is an incomplete PNG. Copy or export it again, then add it.',
  'image-trailing-data':
    '{file} is a PNG with {bytes} extra bytes after its end. Export the logo as PNG again, then add it.',
  'caption-not-text':
    '{file} is not readable text (byte {at} is not UTF-8). Save the captions as UTF-8, then add them again.',
  'caption-no-cues': '{file} contains no captions with times. Export it as SRT or WebVTT, then add it again.',
  'caption-too-large':
    '{file} has {bytes} bytes. The maximum for captions is {limit}. Export shorter captions, then add them.',
  'caption-too-many-cues': '{file} has more than {limit} captions. Export shorter captions, then add them.',
  'cannot-read':
    "{file} can't be read ({code}). Check that the file exists and that you have permission to open it, then try again.",
  'check-timed-out':
    '{file} was not read within {seconds} seconds. The file may be damaged, or its disk slow. Copy it to a disk of this computer, or export it again, then add it again.',
  'check-failed':
    'Adslate could not check {file} ({what}). Add it again. If it happens again, export the file again first.',
  'not-a-file': '{file} is not a file. Choose a file, not a folder or a device.',
  changed: '{file} changed after it was chosen. Choose it again.',
  'above-limit': '{file} is larger than {limit} bytes, the maximum here. Choose a smaller file.',
  'no-path': '{file} is not in a folder of this computer. Save it in a folder, then choose it there.',
  'not-allowed':
    'Adslate may not read the folder of {file}, because you did not allow it. Wait a minute, choose the file again, then allow the folder.',
  'not-received': 'Adslate did not receive {file} ({what}). Check that the file still exists, then choose it again.',
  'no-space': 'The disk is too full to copy {file}. Free up space, then add it again.',
  'too-large': '{file} has {bytes} bytes. The maximum is {limit}. Split the file, then import the parts.',
  'workbook-too-large':
    '{file} is suspiciously large when unpacked ({what}). Copy its rows into a new workbook, or save it as CSV (UTF-8), then import that file.',
  'damaged-workbook':
    '{file} is a damaged workbook ({what}). Open and save it in a spreadsheet program, which may repair it. Then import it again.',
  'no-sheets': '{file} is a workbook with {what}. Add a sheet with a header row and your rows, then import it again.',
  'empty-workbook':
    'The sheets of {file} are empty. Add a header row and your rows, save the file, then import it again.',
  'empty-sheet':
    'The sheet "{sheet}" of {file} is empty. Choose another sheet, or add rows, save the file, then import it again.',
  'unknown-sheet': '{file} has no sheet named "{sheet}". Choose one of its sheets: {sheets}.',
  'one-table': '{file} is not a workbook, so it has no sheets to choose from. Import it without a sheet name.',
  'too-many-rows': '{file} has more than {limit} rows. Split the file, then import the parts.',
  'too-many-columns': '{file} has {columns} columns. The maximum is {limit}. Remove the columns you do not need.',
  'cell-too-long': '{file}, line {line}: a cell is longer than {limit} characters. Shorten it, then import again.',
  'not-text': `{file} can't be read as UTF-8 or UTF-16 text (line {line}). Save it as "CSV UTF-8", then import it again.`,
  'no-headers': '{file} has no header row. The first row must name the columns, such as Type, Campaign and Bid.',
  'needs-decimals':
    '{file}, line {line}, {column}: "{text}" can mean two amounts. Use a decimal point and no thousands separator (1.65), then import again.',
  'needs-dates':
    '{file}, line {line}, {column}: "{text}" can mean two dates. Use year-month-day (2026-05-04), then import again.',
  'mixed-dates':
    '{file}, line {line}, {column}: "{text}" is in another order than "{other}". Use year-month-day (2026-05-04), then import again.',
  'rows-missed':
    '{file} has {rows} rows, but only {found} could be read. Nothing was imported. Save it as CSV (UTF-8) in a spreadsheet program, then import that file.',
  'key-file': '{file} is not a valid key or token file. Choose another file.',
  altered: '{file} was modified after it was signed. Ask the sender for a new copy.',
  'damaged-archive':
    '{file} is {found}. Copy or export it again, and do not repack it. If someone sent it to you, ask the sender for a new copy.',
  'archive-too-large':
    '{file} was not written: it would have {count} {unit}, and the maximum of an archive is {limit}. Export a CSV instead, or delete unused files from the media library.',
  'newer-archive': '{file} is {found}. Update Adslate, or ask the sender to export it with your version.',
  'not-comments': "{file} can't be imported: it is {found}. Ask the client to save the comments again.",
  'no-plan': `{file} contains no plan. ${NEW_PLAN}`,
  'older-plan': `{file} contains a plan of an earlier version that lacks the options of the sync. ${NEW_PLAN}`,
  'newer-plan': '{file} contains a plan of a newer version. Update Adslate, or save the plan again with this version.',
  'damaged-plan': `{file} was modified or cut off after it was saved (line {line}). ${NEW_PLAN}`,
  'other-accounts-plan':
    '{file} is a plan of account "{account}" (advertiser {advertiser}), but the open account is "{here}" (advertiser {advertiserHere}). Open that account, or save a plan of this account.',
};

export type FileReason = keyof typeof TEXTS;

/**
 * Why a file that was dropped, selected or named in a spreadsheet can't be used. It carries facts; `fileRefusalText`
 * writes the sentence with the file, the rule and the next step.
 */
export interface FileRefusal {
  readonly reason: FileReason;
  readonly params: Readonly<Record<string, string | number>>;
}

export const fileRefusal = (reason: FileReason, params: FileRefusal['params'] = {}): FileRefusal => ({
  reason,
  params,
});

/** The failure for a file that can't be used. */
export const fileError = (fileName: string, { reason, params }: FileRefusal) =>
  fail('BAD_FILE', { fileName, reason, params });

export type BadFile = ReturnType<typeof fileError>['error'];

/** The sentence for a refusal. Placeholders without a fact stay, so that the gap is visible. */
export function fileRefusalText(fileName: string, reason: string, params: FileRefusal['params']): string {
  const known = Object.entries(TEXTS).find(([name]) => name === reason);
  if (known === undefined) return `${fileName} can't be used (${reason}). Choose another file.`;
  const facts: Readonly<Record<string, string | number>> = { ...params, file: fileName };
  return known[1].replace(/\{(\w+)\}/g, (whole, name: string) =>
    Object.hasOwn(facts, name) ? (facts[name] ?? '').toLocaleString('en-US') : whole,
  );
}
