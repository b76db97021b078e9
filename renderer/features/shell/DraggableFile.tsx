import { IconFileExport } from '@tabler/icons-react';
import type { FileOut as File, FilesOut } from '../../app/transport/connection.ts';
import { enFilesOut } from '../../texts/en-files-out.ts';

interface FileOutProps {
  readonly file: File;
  /** How this window's host has files dragged; without it a click still saves the file. */
  readonly filesOut: FilesOut | undefined;
}

/** A file that leaves the window: dragged to wherever it is wanted, or saved by a click or Enter. */
export function DraggableFile({ file, filesOut }: FileOutProps) {
  return (
    <a
      className="chip file-out"
      href={file.url}
      download={file.fileName}
      title={enFilesOut.hint}
      draggable={filesOut !== undefined}
      onPointerDown={() => filesOut?.prepare(file)}
      onDragStart={(event) => filesOut?.begin(file, event.nativeEvent)}
    >
      <IconFileExport size={14} stroke={1.5} aria-hidden="true" />
      <span>{file.fileName}</span>
    </a>
  );
}
