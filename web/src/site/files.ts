// The data file of the service in the browser's private file system (OPFS), as a file system of Emscripten. A file there can be
// read and written at once only through a handle that takes time to open: all are opened before the service begins, and a file
// that is deleted becomes empty, which is the same to SQLite.
interface Handle {
  read(into: Uint8Array, options: { at: number }): number;
  write(from: Uint8Array, options: { at: number }): number;
  truncate(size: number): void;
  getSize(): number;
  flush(): void;
  close(): void;
}

interface Node {
  id: number;
  name: string;
  mode: number;
  handle: Handle | null;
  node_ops: object;
  stream_ops: object;
}

interface Stream {
  node: Node;
  position: number;
}

export interface EmscriptenFS {
  ErrnoError: new (code: number) => Error;
  createNode(parent: Node | null, name: string, mode: number, device: number): Node;
  mkdir(path: string): void;
  mount(type: object, options: object, at: string): void;
}

const NAMES = ['castellan.db', 'castellan.db-wal', 'castellan.db-journal'];
const FOLDER = 0o40700;
const FILE = 0o100600;
const EEXIST = 20;
const EINVAL = 28;
const EIO = 29;
const ENOENT = 44;
const ENOSPC = 51;
const TRIES = 100; // of 50 ms: a page that was left a moment ago may still have the files

async function openHandle(folder: FileSystemDirectoryHandle, name: string): Promise<Handle> {
  const file = (await folder.getFileHandle(name, { create: true })) as FileSystemFileHandle & {
    createSyncAccessHandle(): Promise<Handle>;
  };
  for (let tries = 1; ; tries++) {
    try {
      return await file.createSyncAccessHandle();
    } catch (why) {
      if (tries === TRIES) throw why;
      await new Promise((done) => setTimeout(done, 50));
    }
  }
}

// By name; null where the browser has no such files.
export async function openFiles(): Promise<Map<string, Handle> | null> {
  if (!navigator.storage?.getDirectory) return null;
  const folder = await navigator.storage.getDirectory();
  const files = new Map<string, Handle>();
  for (const name of NAMES) files.set(name, await openHandle(folder, name));
  return files;
}

// Nothing is ever written to other files: castellan.lock only exists.
const EMPTY: Handle = {
  read: () => 0,
  write: () => 0,
  truncate: () => {},
  getSize: () => 0,
  flush: () => {},
  close: () => {},
};

export function mountFiles(FS: EmscriptenFS, files: Map<string, Handle>, path: string): void {
  const failing = <T>(code: number, work: () => T): T => {
    try {
      return work();
    } catch (why) {
      throw new FS.ErrnoError((why as Error).name === 'QuotaExceededError' ? ENOSPC : code);
    }
  };

  const attributes = (node: Node) => {
    const size = node.handle ? failing(EIO, () => node.handle!.getSize()) : 4096;
    const time = new Date();
    return {
      dev: 1,
      ino: node.id,
      mode: node.mode,
      nlink: 1,
      uid: 0,
      gid: 0,
      rdev: 0,
      size,
      atime: time,
      mtime: time,
      ctime: time,
      blksize: 4096,
      blocks: Math.ceil(size / 4096),
    };
  };

  const stream = {
    // The module's memory may be shared between threads, and handles take no shared memory everywhere: hence the copies.
    read(from: Stream, into: Int8Array, offset: number, length: number, at: number): number {
      const bytes = new Uint8Array(length);
      const count = failing(EIO, () => from.node.handle!.read(bytes, { at }));
      into.set(bytes.subarray(0, count), offset);
      return count;
    },
    write(to: Stream, from: Int8Array, offset: number, length: number, at: number): number {
      const bytes = new Uint8Array(length);
      bytes.set(from.subarray(offset, offset + length));
      return failing(EIO, () => to.node.handle!.write(bytes, { at }));
    },
    llseek(of: Stream, offset: number, whence: number): number {
      const from = whence === 1 ? of.position : whence === 2 ? of.node.handle!.getSize() : 0;
      if (from + offset < 0) throw new FS.ErrnoError(EINVAL);
      return from + offset;
    },
    fsync(of: Stream): number {
      failing(EIO, () => of.node.handle!.flush());
      return 0;
    },
  };

  const fileOps = {
    getattr: attributes,
    setattr(node: Node, change: { size?: number; mode?: number }) {
      if (change.size !== undefined) failing(EIO, () => node.handle!.truncate(change.size!));
    },
  };

  const createFile = (parent: Node, name: string, handle: Handle): Node => {
    const node = FS.createNode(parent, name, FILE, 0);
    node.handle = handle;
    node.node_ops = fileOps;
    node.stream_ops = stream;
    return node;
  };

  const folderOps = {
    getattr: attributes,
    setattr() {},
    lookup(parent: Node, name: string): Node {
      const handle = files.get(name);
      if (!handle) throw new FS.ErrnoError(ENOENT);
      return createFile(parent, name, handle);
    },
    mknod(parent: Node, name: string): Node {
      if (files.has(name)) throw new FS.ErrnoError(EEXIST);
      files.set(name, EMPTY);
      return createFile(parent, name, EMPTY);
    },
    unlink(_parent: Node, name: string) {
      failing(EIO, () => files.get(name)!.truncate(0));
    },
    readdir: () => ['.', '..', ...files.keys()],
  };

  const type = {
    mount() {
      const root = FS.createNode(null, '/', FOLDER, 0);
      root.handle = null;
      root.node_ops = folderOps;
      root.stream_ops = {};
      return root;
    },
  };
  FS.mkdir(path);
  FS.mount(type, {}, path);
}
