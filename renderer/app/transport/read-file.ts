/** A file of the library, which its host serves at this address. */
export async function readFile(url: string, name: string): Promise<File> {
  const bytes = await (await fetch(url)).blob();
  return new File([bytes], name, { type: bytes.type });
}
