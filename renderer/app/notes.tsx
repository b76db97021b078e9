import type { NotificationData } from '@mantine/notifications';
import type { Toasts } from '../actions/doing.ts';
import { enFilesOut } from '../messages/en-files-out.ts';
import { DraggableFile } from '../screens/frame/FileOut.tsx';
import type { Connection } from '../transport/connection.ts';

const NOTE_MS = 5000;

/** So long a file stays at hand after it was saved. */
const FILE_MS = 20_000;

/**
 * Short messages. Failures stay until they are closed or 12 seconds have passed; good news goes sooner.
 *
 * @param onFirst called before anything is shown: what shows messages is no part of the script to begin with
 */
export function createToasts({ filesOut }: Connection, onFirst: () => void): Toasts {
  const show = async (note: NotificationData): Promise<void> => {
    onFirst();
    const { notifications } = await import('@mantine/notifications');
    notifications.show(note);
  };
  return {
    tell: (text) => void show({ message: text, autoClose: NOTE_MS, color: 'blue' }),
    fail: (text) => void show({ message: text, autoClose: 12_000, color: 'red' }),
    offer: (file) =>
      void show({
        title: enFilesOut.ready,
        message: <DraggableFile file={file} filesOut={filesOut} />,
        autoClose: FILE_MS,
        color: 'blue',
      }),
  };
}
