import type { ImportPreview } from '../../shared/contract/exchange.ts';
import { shown } from '../../shared/model/cell-problem.ts';
import type { Row } from '../../shared/model/row.ts';
import type { PendingImport } from './apply-import.ts';
import { type FileSigning, signatureInfo } from './archive/file-signing.ts';
import { filesOfImport } from './import-files.ts';
import { usableFiles } from './sheet-files.ts';
import type { LinkSummary } from './worker/import-session.ts';

/** Files that a preview lists. */
const SHOWN_FILES = 1000;

/** What a previewed file would do, in the words of the contract. */
export async function importPreview(
  previewId: string,
  pending: PendingImport,
  summary: LinkSummary,
  library: readonly Row<'media'>[],
  signing: FileSigning,
): Promise<ImportPreview> {
  const { fileName, source, media, spare, skipped, signature, files, fileProblems, out } = pending;
  const { files: _, ...figures } = summary;
  const listed = filesOfImport(usableFiles(files, fileProblems, out), spare, library);
  return {
    ...figures,
    previewId,
    fileName,
    source,
    media,
    errors: [...summary.errors],
    warnings: [...summary.warnings],
    otherSheets: [...summary.otherSheets],
    columns: [...summary.columns],
    unknownColumns: [...summary.unknownColumns],
    formulaLines: [...summary.formulaLines],
    missing: [...summary.missing],
    files: listed.slice(0, SHOWN_FILES),
    fileCount: listed.length,
    spareFiles: spare.length,
    skippedParts: skipped.slice(0, SHOWN_FILES).map(shown),
    signature: signature === null ? null : await signatureInfo(signature, signing),
  };
}
