/** `pad` keeps the whole picture and leaves margins, `crop` fills the place and cuts off what stands over. */
export type FitMode = 'pad' | 'crop';

export interface Size {
  readonly width: number;
  readonly height: number;
}
export interface Place extends Size {
  readonly x: number;
  readonly y: number;
}

/**
 * Where a picture is drawn in a place of another size: in the middle, its sides in proportion.
 *
 * @param picture sizes in pixels, both at least 1
 * @returns the rectangle in pixels of the place; it reaches beyond the place when the picture is cropped
 */
export function fitPlace(picture: Size, place: Size, mode: FitMode): Place {
  const across = place.width / picture.width;
  const down = place.height / picture.height;
  const scale = mode === 'pad' ? Math.min(across, down) : Math.max(across, down);
  const width = picture.width * scale;
  const height = picture.height * scale;
  return { x: (place.width - width) / 2, y: (place.height - height) / 2, width, height };
}
