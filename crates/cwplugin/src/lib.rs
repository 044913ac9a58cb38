//! One weight per class for a classifier that you can only query.
