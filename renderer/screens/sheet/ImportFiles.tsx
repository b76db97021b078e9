import { Checkbox } from '@mantine/core';
import type { ImportPreview } from '../../../shared/contract/exchange.ts';
import { enImport as texts } from '../../messages/en-import.ts';
import { bytesText } from '../../messages/numbers.ts';

interface ImportFilesProps {
  readonly preview: ImportPreview;
  /** Keys of the files that stay out. */
  readonly out: ReadonlySet<string>;
  readonly onOut: (out: ReadonlySet<string>) => void;
}

/** The files that an import would add to the library or change there, to be ticked off one by one. */
export function ImportFiles({ preview, out, onOut }: ImportFilesProps) {
  const { files, fileCount } = preview;
  if (files.length === 0) return null;
  const toggle = (key: string): void => {
    const next = new Set(out);
    if (!next.delete(key)) next.add(key);
    onOut(next);
  };
  return (
    <section aria-label={texts.files}>
      <h3 className="group-title">{texts.files}</h3>
      <p className="quiet">{texts.filesHint}</p>
      <ul className="lines">
        {files.map(({ key, what, fileName, mediaType, bytes, rows, changes }) => (
          <li key={key} className="line">
            <Checkbox
              size="xs"
              checked={!out.has(key)}
              label={fileName}
              aria-label={texts.tickFile(fileName)}
              onChange={() => toggle(key)}
            />
            <span className="quiet">
              {[
                mediaType === null ? texts.unusedFile : texts.mediaTypes[mediaType],
                ...(bytes === null ? [] : [bytesText(bytes)]),
                what === 'added' ? texts.fileAdded : texts.fileChanged(changes.map((each) => texts.fileChanges[each])),
                ...(rows > 1 ? [texts.fileRows(rows)] : []),
              ].join(' · ')}
            </span>
          </li>
        ))}
        {fileCount > files.length && <li className="line quiet">{texts.moreFiles(fileCount - files.length)}</li>}
      </ul>
    </section>
  );
}
