import { IconFileExport } from '@tabler/icons-react';
import ui from '../components/ui.module.css';
import type { FileOut as File, FilesOut } from './transport/connection.ts';

const texts = {
  hint: 'Drag it to a folder, an email or a chat, or click to save it.',
} as const;

interface FileOutProps {
  readonly file: File;
  /** Drags files out of this window; without it, a click still saves the file. */
  readonly filesOut: FilesOut | undefined;
}

/** The end of a long file name that is always shown: its extension, and the day of an export. */
const END = 16;

/** A file that can be dragged out of the window, or saved with a click or Enter. */
export function DraggableFile({ file, filesOut }: FileOutProps) {
  return (
    <a
      className={`${ui['chip']} ${ui['file-out']}`}
      href={file.url}
      download={file.fileName}
      title={texts.hint}
      aria-label={file.fileName}
      draggable={filesOut !== undefined}
      onPointerDown={() => filesOut?.prepare(file)}
      onDragStart={(event) => filesOut?.begin(file, event.nativeEvent)}
    >
      <IconFileExport size={14} stroke={1.5} aria-hidden="true" />
      <span>{file.fileName.slice(0, -END)}</span>
      {file.fileName.slice(-END)}
    </a>
  );
}
