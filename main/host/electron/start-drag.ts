import { app, type NativeImage, nativeImage, type WebContents } from 'electron';

/** Pixels of the picture that goes with the pointer, where the system has none for the kind of file. */
const SIDE = 32;
/** Blue, green, red and opacity of one pixel of it. */
const PAPER = [0xd0, 0xa0, 0x70, 0xff];

/** Hands a file to the system's own dragging, with the picture that the system has for its kind. */
export async function startDrag(page: WebContents, file: string): Promise<void> {
  const icon = await app.getFileIcon(file, { size: 'normal' }).catch(plainSheet); // a desktop without pictures of files
  if (!page.isDestroyed()) page.startDrag({ file, icon: icon.isEmpty() ? plainSheet() : icon });
}

const plainSheet = (): NativeImage =>
  nativeImage.createFromBitmap(Buffer.from(Array.from({ length: SIDE * SIDE }, () => PAPER).flat()), {
    width: SIDE,
    height: SIDE,
  });
