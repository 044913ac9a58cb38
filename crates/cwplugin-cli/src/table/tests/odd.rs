//! Files that people really have.

use super::*;
