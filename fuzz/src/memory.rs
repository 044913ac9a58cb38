//! An allocator that ends the process if a program asks for too much memory.
#![allow(unsafe_code)] // an allocator is unsafe to implement; this one only counts

use std::alloc::{GlobalAlloc, Layout, System};
use std::io::Write as _;
use std::sync::atomic::{AtomicUsize, Ordering};

/// The most bytes in use at any time, and so of one allocation: 512 MiB. The longest row of a table has 256 MiB.
pub const MOST_BYTES: usize = 512 << 20;

static IN_USE: AtomicUsize = AtomicUsize::new(0);

struct Limited;

impl Limited {
    fn add(bytes: usize) {
        let in_use = IN_USE.fetch_add(bytes, Ordering::Relaxed);
        if in_use.saturating_add(bytes) > MOST_BYTES {
            // Without an allocation.
            let _ = std::io::stderr().write_all(b"more memory than fuzz/src/memory.rs allows\n");
            std::process::abort();
        }
    }
}

// SAFETY: every call is that of the system's allocator.
unsafe impl GlobalAlloc for Limited {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        Self::add(layout.size());
        // SAFETY: the caller keeps the contract.
        unsafe { System.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        Self::add(layout.size());
        // SAFETY: the caller keeps the contract.
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        IN_USE.fetch_sub(layout.size(), Ordering::Relaxed);
        // SAFETY: the caller keeps the contract.
        unsafe { System.dealloc(pointer, layout) }
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        Self::add(size);
        IN_USE.fetch_sub(layout.size(), Ordering::Relaxed);
        // SAFETY: the caller keeps the contract.
        unsafe { System.realloc(pointer, layout, size) }
    }
}

#[global_allocator]
static ALLOCATOR: Limited = Limited;
